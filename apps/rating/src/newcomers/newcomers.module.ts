import { Connections, construct, DB, IDS, provide, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { PoolsModule } from '../pools/pools.module.js';
import { PostgresRatedMatches } from '../pools/rated-matches.store.js';
import { FitPools } from './fit-pools.js';
import { FitThread } from './fit-thread.client.js';
import { NewcomersController } from './newcomers.controller.js';
import { NewcomersLoops } from './newcomers.loops.js';
import { NewcomersProcessor } from './newcomers.processor.js';
import { ReadFit } from './read-fit.js';
import { SeedNewcomer } from './seed-newcomer.js';
import { PostgresStatsFits } from './stats-fits.store.js';

/** Seeds newcomers by their stats, fitted to the history of their pool. */
@Module({
  imports: [CoreModule, PoolsModule],
  controllers: [NewcomersController],
  providers: [
    NewcomersLoops,
    NewcomersProcessor,
    construct(PostgresStatsFits, [DB]),
    construct(ReadFit, [PostgresRatings, PostgresStatsFits]),
    construct(SeedNewcomer, [PostgresRatings, PostgresStatsFits, SharedClock, IDS]),
    provide(FitThread, [Connections], (connections) => {
      const thread = new FitThread();
      connections.add(() => thread.close());
      return thread;
    }),
    construct(FitPools, [
      PostgresRatings,
      PostgresRatedMatches,
      PostgresStatsFits,
      FitThread,
      SharedClock,
      IDS,
    ]),
  ],
  exports: [SeedNewcomer],
})
export class NewcomersModule {}
