import { AFTER_COMMIT, construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RatingClient } from '../ratings/rating.client.js';
import { RatingModule } from '../ratings/rating.module.js';
import { SolverThreads } from '../teams/solver-threads.client.js';
import { TeamsModule } from '../teams/teams.module.js';
import { BalanceController } from './balance.controller.js';
import { LiveBalance } from './live-balance.js';
import { LiveBalanceLoops } from './live-balance.loops.js';
import { PostgresLiveSessionStore } from './live-session.store.js';
import { LiveSessions } from './live-sessions.js';
import { RostersController } from './rosters.controller.js';

/** Keeps running matches balanced: for servers that ask, and for sessions whose events are reported. */
@Module({
  imports: [RatingModule, TeamsModule],
  controllers: [BalanceController, RostersController],
  providers: [
    LiveBalanceLoops,
    construct(PostgresLiveSessionStore, [DB]),
    construct(LiveBalance, [RatingClient, SolverThreads, SharedClock]),
    construct(LiveSessions, [PostgresLiveSessionStore, RatingClient, SharedClock, AFTER_COMMIT]),
  ],
})
export class LiveBalanceModule {}
