import { Module } from '@nestjs/common';
import { CalibrationModule } from './calibration/calibration.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MatchingModule } from './matching/matching.module.js';
import { PartiesModule } from './parties/parties.module.js';
import { PlayerRequestsModule } from './player-requests/player-requests.module.js';
import { RecoveryModule } from './recovery/recovery.module.js';
import { RulesModule } from './rules/rules.module.js';
import { StandingModule } from './standing/standing.module.js';
import { TicketFiguresModule } from './tickets/ticket-figures.module.js';
import { TicketsModule } from './tickets/tickets.module.js';

/** Players queue, alone or as parties, and matchers find matches for them. */
@Module({
  imports: [
    TicketsModule,
    TicketFiguresModule,
    PartiesModule,
    MatchingModule,
    StandingModule,
    PlayerRequestsModule,
    RulesModule,
    CalibrationModule,
    JobsModule,
    RecoveryModule,
  ],
})
export class QueueModule {}
