import { AFTER_COMMIT, construct, DB, IDS, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { BoostersController } from './boosters.controller.js';
import { BoostersRpc } from './boosters.rpc.js';
import { PostgresBoosters } from './boosters.store.js';
import { Boosters } from './boosters.js';

/** Boosters: a limited number of matches among players of another division. */
@Module({
  imports: [CoreModule],
  controllers: [BoostersController, BoostersRpc],
  providers: [
    construct(PostgresBoosters, [DB, AFTER_COMMIT]),
    construct(Boosters, [PostgresBoosters, PostgresRatings, SharedClock, IDS]),
  ],
})
export class BoostersModule {}
