import { AFTER_COMMIT, construct, IDS, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { StoresModule } from '../stores.module.js';
import { BalanceProcessor } from './balance.processor.js';
import { SessionsController } from './sessions.controller.js';
import { Sessions } from './sessions.js';

/** Answers to commands, results and abandoned sessions. */
@Module({
  imports: [StoresModule],
  controllers: [SessionsController],
  providers: [
    BalanceProcessor,
    construct(Sessions, [PostgresPlacementStore, WakeUps, SharedClock, IDS, AFTER_COMMIT]),
  ],
  exports: [Sessions],
})
export class SessionsModule {}
