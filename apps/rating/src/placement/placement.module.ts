import type { Ids } from '@muster/domain';
import { Connections, construct, DB, IDS, LOG, SharedClock, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { StoresModule } from '../stores.module.js';
import { FitPools } from './fit-pools.js';
import { FitThread } from './fit-thread.client.js';
import { PlaceNewcomer } from './place-newcomer.js';
import { PlacementController } from './placement.controller.js';
import { PlacementLoops } from './placement.loops.js';
import { PlacementProcessor } from './placement.processor.js';
import { Placements } from './placements.js';
import { PostgresPlacementFits } from './placement-fit.store.js';
import { Tuning } from './tuning.js';
import { PostgresTunings } from './tuning.store.js';

/** Placement of newcomers from stats, fitted to the history of their pool; and the proposal to tune a pool on it. */
@Module({
  imports: [StoresModule],
  controllers: [PlacementController],
  providers: [
    PlacementLoops,
    PlacementProcessor,
    construct(PostgresPlacementFits, [DB]),
    construct(PostgresTunings, [DB]),
    construct(Placements, [PostgresLedgerStore, PostgresPlacementFits]),
    construct(PlaceNewcomer, [PostgresLedgerStore, PostgresPlacementFits, SharedClock, IDS]),
    construct(Tuning, [PostgresLedgerStore, PostgresTunings, SharedClock]),
    {
      provide: FitThread,
      inject: [Connections],
      useFactory: (connections: Connections): FitThread => {
        const thread = new FitThread();
        connections.add(() => thread.close());
        return thread;
      },
    },
    {
      provide: FitPools,
      inject: [PostgresLedgerStore, PostgresPlacementFits, FitThread, SharedClock, IDS, LOG],
      useFactory: (
        ledger: PostgresLedgerStore,
        fits: PostgresPlacementFits,
        thread: FitThread,
        clock: SharedClock,
        ids: Ids,
        log: Log,
      ): FitPools =>
        new FitPools(ledger, fits, thread.fit, clock, ids.make('fit'), (pool, { statsMatches, refusal }) =>
          log.info({ pool, statsMatches, refusal }, 'a placement from stats was fitted'),
        ),
    },
  ],
  exports: [PlaceNewcomer, Tuning],
})
export class PlacementModule {}
