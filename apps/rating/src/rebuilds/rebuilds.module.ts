import {
  AFTER_COMMIT,
  Background,
  Connections,
  IDS,
  LOG,
  openDb,
  provide,
  SharedClock,
} from '@muster/platform';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { RATING_SETTINGS } from '../settings.js';
import type { Rebuild } from './rebuild.js';
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
    // A separate connection pool: deleting the rows of an old rebuild may take minutes.
    provide(
      PostgresRebuilds,
      [RATING_SETTINGS, LOG, Connections, AFTER_COMMIT],
      (settings, log, connections, committed) => {
        const limits = { use: 'rebuild', maxConnections: 2, statementMs: rebuildStatementMs };
        const db = openDb({ name: 'rating', settings, log }, limits);
        connections.add(() => db.$disconnect());
        return new PostgresRebuilds(db, committed);
      },
    ),
    provide(
      Rebuilds,
      [PostgresRebuilds, PostgresRatings, SharedClock, IDS, RATING_SETTINGS, LOG, Background],
      (store, ratings, clock, ids, { REBUILD_LEASE_MS }, log, { signal }) => {
        const say = (rebuild: Rebuild, what: string): void =>
          log.info({ pool: rebuild.pool, rebuildId: rebuild.rebuildId }, `rebuild ${what}`);
        const rebuilds = new Rebuilds(store, ratings, clock, ids, randomUUID(), REBUILD_LEASE_MS, say);
        signal.addEventListener('abort', () => rebuilds.stop());
        return rebuilds;
      },
    ),
  ],
  exports: [Rebuilds],
})
export class RebuildsModule {}
