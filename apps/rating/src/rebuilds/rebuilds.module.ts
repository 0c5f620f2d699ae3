import {
  AFTER_COMMIT,
  Background,
  Connections,
  IDS,
  LOG,
  openDb,
  SharedClock,
  type Log,
} from '@muster/platform';
import { Module } from '@nestjs/common';
import type { Ids } from '@muster/domain';
import { randomUUID } from 'node:crypto';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { RATING_SETTINGS, type RatingSettings } from '../settings.js';
import { RebuildsController } from './rebuilds.controller.js';
import { RebuildLoops } from './rebuilds.loops.js';
import { Rebuilds } from './rebuilds.js';
import { PostgresRebuilds } from './rebuilds.store.js';

/** The statement time-out of a rebuild, in milliseconds. */
const rebuildStatementMs = 600_000;

/** Rebuilds the ratings of pools from their history, beside live operation. */
@Module({
  imports: [CoreModule],
  controllers: [RebuildsController],
  providers: [
    RebuildLoops,
    {
      // A separate connection pool: deleting the rows of an old rebuild may take minutes.
      provide: PostgresRebuilds,
      inject: [RATING_SETTINGS, LOG, Connections, AFTER_COMMIT],
      useFactory: (
        settings: RatingSettings,
        log: Log,
        connections: Connections,
        committed: () => void,
      ): PostgresRebuilds => {
        const limits = { use: 'rebuild', maxConnections: 2, statementMs: rebuildStatementMs };
        const db = openDb({ name: 'rating', settings, log }, limits);
        connections.add(() => db.$disconnect());
        return new PostgresRebuilds(db, committed);
      },
    },
    {
      provide: Rebuilds,
      inject: [PostgresRebuilds, PostgresRatings, SharedClock, IDS, RATING_SETTINGS, LOG, Background],
      useFactory: (
        store: PostgresRebuilds,
        ratings: PostgresRatings,
        clock: SharedClock,
        ids: Ids,
        { REBUILD_LEASE_MS }: RatingSettings,
        log: Log,
        { signal }: Background,
      ): Rebuilds => {
        const rebuilds = new Rebuilds(
          store,
          ratings,
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
  ],
  exports: [Rebuilds],
})
export class RebuildsModule {}
