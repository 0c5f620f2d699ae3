import { Module } from '@nestjs/common';
import { CalibrationModule } from './calibration/calibration.module.js';
import { JobsController } from './jobs/jobs.controller.js';
import { MatchingModule } from './matching/matching.module.js';
import { DeskModule } from './desk/desk.module.js';
import { LoginsModule } from './logins/logins.module.js';
import { OperatorsModule } from './operators/operators.module.js';
import { PartiesModule } from './parties/parties.module.js';
import { PausesModule } from './pauses/pauses.module.js';
import { PlayerRequestsModule } from './player-requests/player-requests.module.js';
import { RecoveryModule } from './recovery/recovery.module.js';
import { RulesModule } from './rules/rules.module.js';
import { StandingModule } from './standing/standing.module.js';
import { TicketEventsModule } from './ticket-events/ticket-events.module.js';
import { StatisticsModule } from './statistics/statistics.module.js';
import { TicketsModule } from './tickets/tickets.module.js';

/** Players queue, alone or as parties, and matchers find matches for them. From the top floor down. */
@Module({
  imports: [
    DeskModule,
    RecoveryModule,
    StatisticsModule,
    TicketsModule,
    MatchingModule,
    PartiesModule,
    StandingModule,
    CalibrationModule,
    PausesModule,
    RulesModule,
    PlayerRequestsModule,
    OperatorsModule,
    LoginsModule,
    TicketEventsModule,
  ],
  controllers: [JobsController],
})
export class QueueModule {}
