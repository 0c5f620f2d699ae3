import { construct, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { StoresModule } from '../stores.module.js';
import { Weights } from './weights.js';
import { WeightsController } from './weights.controller.js';

/** The line protocol for legacy game servers. */
@Module({
  imports: [StoresModule],
  controllers: [WeightsController],
  providers: [construct(Weights, [PostgresLedgerStore, SharedClock])],
})
export class LinesModule {}
