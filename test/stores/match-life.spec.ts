import { RatingStores } from '../support/rating-stores.js';
import { databaseForEach } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { describeBackfillRaces } from './match-life/backfill-races.js';
import { describeMatchLifeRaces } from './match-life/races.js';
import { describeMatchLife } from './match-life/stories.js';
import { MatchLifeStores } from './match-life-stores.js';

const data = databaseForEach();

async function create(): Promise<MatchLifeStores> {
  await data().reset();
  const { db } = data();
  await new RatingStores(db).pools.create(aPool());
  return new MatchLifeStores(db);
}

describeMatchLife(create);
/** `npm run test:long` takes more. */
const runs = process.env['MUSTER_TEST_LONG'] ? 60 : 10;
describeMatchLifeRaces(create, { runs, timeoutMs: 600_000 });
describeBackfillRaces(create, { runs, timeoutMs: 600_000 });
