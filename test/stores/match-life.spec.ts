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
describeMatchLifeRaces('Postgres', create, { runs: 12, timeoutMs: 600_000 });
describeBackfillRaces('Postgres', create, { runs: 8, timeoutMs: 600_000 });
