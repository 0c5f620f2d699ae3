import { construct, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { StoresModule } from '../stores.module.js';
import { Predict } from './predict.js';

/** Predictions of matches under a pool's rules and calibration. */
@Module({
  imports: [StoresModule],
  providers: [construct(Predict, [PostgresLedgerStore, SharedClock])],
  exports: [Predict],
})
export class PredictionsModule {}
