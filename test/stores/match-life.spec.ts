import {
  describeBackfillRaces,
  describeMatchLife,
  describeMatchLifeRaces,
  type MatchLifeUnderTest,
} from '@muster/testing';
import { PostgresLedgerStore } from '../../apps/rating/src/ledger/ledger.store.js';
import { databaseForEach } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { PostgresMatchStores } from './match-life-stores.js';

const data = databaseForEach();

async function create(): Promise<MatchLifeUnderTest> {
  await data().reset();
  const { db } = data();
  await new PostgresLedgerStore(db).createPool(aPool());
  return { stores: new PostgresMatchStores(db) };
}

describeMatchLife('Postgres', create);
/** `npm run test:long` takes more; the twin takes more each time. */
const runs = process.env['MUSTER_TEST_LONG'] ? 40 : 6;
describeMatchLifeRaces('Postgres', create, { runs, timeoutMs: 600_000 });
describeBackfillRaces('Postgres', create, { runs, timeoutMs: 600_000 });
