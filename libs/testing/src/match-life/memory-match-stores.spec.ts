import { describeBackfillRaces } from './backfill-races.js';
import { describeMatchLife } from './conformance.js';
import { MemoryMatchStores } from './memory-match-stores.js';
import { describeMatchLifeRaces } from './races.js';

const create = async () => ({ stores: new MemoryMatchStores() });

describeMatchLife('MemoryMatchStores', create);
describeMatchLifeRaces('MemoryMatchStores', create, { runs: 60 });
describeBackfillRaces('MemoryMatchStores', create, { runs: 40 });
