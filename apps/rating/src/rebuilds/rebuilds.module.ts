import {
  AFTER_COMMIT,
  Background,
  Connections,
  construct,
  IDS,
  LOG,
  openDb,
  SharedClock,
  type Log,
} from '@muster/platform';
import { Module } from '@nestjs/common';
import type { Ids } from '@muster/domain';
import { randomUUID } from 'node:crypto';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { Pools } from '../pools/pools.js';
import { RATING_SETTINGS, type RatingSettings } from '../settings.js';
import { StoresModule } from '../stores.module.js';
import { PostgresRebuildStore } from './rebuild.store.js';
import { RebuildViews } from './rebuild.view.js';
import { RebuildLoops } from './rebuilds.loops.js';
import { Rebuilds } from './rebuilds.js';

/** The statement time-out of a rebuild, in milliseconds. */
const rebuildStatementMs = 600_000;

/** Rebuilds the ratings of pools from their history, beside live operation. */
@Module({
  imports: [StoresModule],
  providers: [
    RebuildLoops,
    {
      // A separate connection pool: deleting the rows of an old rebuild may take minutes.
      provide: PostgresRebuildStore,
      inject: [RATING_SETTINGS, LOG, Connections, AFTER_COMMIT],
      useFactory: (
        settings: RatingSettings,
        log: Log,
        connections: Connections,
        committed: () => void,
      ): PostgresRebuildStore => {
        const limits = { use: 'rebuild', maxConnections: 2, statementMs: rebuildStatementMs };
        const db = openDb({ name: 'rating', settings, log }, limits);
        connections.add(() => db.$disconnect());
        return new PostgresRebuildStore(db, committed);
      },
    },
    {
      provide: Rebuilds,
      inject: [PostgresRebuildStore, PostgresLedgerStore, SharedClock, IDS, RATING_SETTINGS, LOG, Background],
      useFactory: (
        store: PostgresRebuildStore,
        ledger: PostgresLedgerStore,
        clock: SharedClock,
        ids: Ids,
        { REBUILD_LEASE_MS }: RatingSettings,
        log: Log,
        { signal }: Background,
      ): Rebuilds => {
        const rebuilds = new Rebuilds(
          store,
          ledger,
          clock,
          ids,
          randomUUID(),
          REBUILD_LEASE_MS,
          (rebuild, what) =>
            log.info({ pool: rebuild.pool, rebuildId: rebuild.rebuildId }, `rebuild ${what}`),
        );
        signal.addEventListener('abort', () => rebuilds.stop());
        return rebuilds;
      },
    },
    construct(RebuildViews, [Pools]),
  ],
  exports: [Rebuilds, RebuildViews],
})
export class RebuildsModule {}
