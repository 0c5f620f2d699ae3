import { AFTER_COMMIT, construct, DB, IDS, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresLedgerStore } from '../ledger/ledger.store.js';
import { StoresModule } from '../stores.module.js';
import { BoostersController } from './boosters.controller.js';
import { BoostersRpc } from './boosters.rpc.js';
import { PostgresBoosterStore } from './boosters.store.js';
import { Boosters } from './boosters.js';

/** Boosters: a limited number of matches among players of another division. */
@Module({
  imports: [StoresModule],
  controllers: [BoostersController, BoostersRpc],
  providers: [
    construct(PostgresBoosterStore, [DB, AFTER_COMMIT]),
    construct(Boosters, [PostgresBoosterStore, PostgresLedgerStore, SharedClock, IDS]),
  ],
})
export class BoostersModule {}
