import { construct, LOG, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { PlacementModule } from '../placement/placement.module.js';
import { Tuning } from '../placement/tuning.js';
import { PredictionsModule } from '../predictions/predictions.module.js';
import { RebuildsModule } from '../rebuilds/rebuilds.module.js';
import { StoresModule } from '../stores.module.js';
import { ReadHealth } from './health.js';
import { PoolsController } from './pools.controller.js';
import { PoolsLoops } from './pools.loops.js';
import { Recalibrate } from './recalibrate.js';

/** Rating pools: creation, changes by version, and the quality of their predictions. */
@Module({
  imports: [StoresModule, RebuildsModule, PredictionsModule, PlacementModule],
  controllers: [PoolsController],
  providers: [
    PoolsLoops,
    construct(ReadHealth, [PostgresLedgerStore, Tuning]),
    {
      provide: Recalibrate,
      inject: [PostgresLedgerStore, LOG],
      useFactory: (ledger: PostgresLedgerStore, log: Log) =>
        new Recalibrate(ledger, ({ name, version, calibration }) =>
          log.info(
            { pool: name, version, scale: calibration.scale.mean },
            'a better calibration took effect',
          ),
        ),
    },
  ],
  exports: [ReadHealth, Recalibrate],
})
export class PoolsModule {}
