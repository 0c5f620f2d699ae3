import { AFTER_COMMIT, construct, DB, LOG, provide, SharedClock, Starting } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { RATING_SETTINGS, seedsOf } from '../settings.js';
import { ReadHealth } from './health.js';
import { PoolFigures } from './pool-figures.loops.js';
import { PoolsController } from './pools.controller.js';
import { PoolsLoops } from './pools.loops.js';
import { PostgresPools } from './pools.store.js';
import { Pools } from './pools.js';
import { PostgresRatedMatches } from './rated-matches.store.js';
import { Recalibrate } from './recalibrate.js';
import { Tuning } from './tuning.js';

/** Rating pools: creation, changes by version, and the quality of their predictions. */
@Module({
  imports: [CoreModule],
  controllers: [PoolsController],
  providers: [
    PoolsLoops,
    PoolFigures,
    construct(PostgresPools, [DB, AFTER_COMMIT]),
    construct(PostgresRatedMatches, [DB]),
    construct(Tuning, [PostgresRatings, PostgresRatedMatches, PostgresPools, SharedClock]),
    construct(ReadHealth, [PostgresRatings, PostgresRatedMatches, Tuning]),
    provide(
      Pools,
      [PostgresPools, PostgresRatings, RATING_SETTINGS, Starting],
      async (store, ratings, settings, starting) => {
        const pools = new Pools(store, ratings);
        const seeds = seedsOf(settings);
        await starting.until('PostgreSQL', async () => {
          for (const seed of seeds) await pools.create(seed);
        });
        return pools;
      },
    ),
    provide(
      Recalibrate,
      [PostgresRatings, PostgresPools, PostgresRatedMatches, LOG],
      (ratings, pools, rated, log) =>
        new Recalibrate(ratings, pools, rated, ({ name, version, calibration }) =>
          log.info(
            { pool: name, version, scale: calibration.scale.mean },
            'a better calibration took effect',
          ),
        ),
    ),
  ],
  exports: [PostgresRatedMatches, ReadHealth, Recalibrate],
})
export class PoolsModule {}
