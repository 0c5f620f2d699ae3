import { construct, Metrics, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { Calibrate } from '../calibration/calibrate.js';
import { CalibrationModule } from '../calibration/calibration.module.js';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { PartiesModule } from '../parties/parties.module.js';
import { PostgresPartyStore } from '../parties/party.store.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { RatingClient } from '../services/rating.client.js';
import { ServicesModule } from '../services/services.module.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { ApplyMatchUpdates } from './match-updates.js';
import { RelevelTickets } from './relevel-tickets.js';
import { UpdatesProcessor } from './updates.processor.js';

/** What becomes of tickets by what other services tell of their matches. */
@Module({
  imports: [CoreModule, ServicesModule, RulesModule, CalibrationModule, StandingModule, PartiesModule],
  providers: [
    UpdatesProcessor,
    construct(RelevelTickets, [Queues, RatingClient, Calibrate, RedisTicketStore]),
    construct(ApplyMatchUpdates, [
      RedisTicketStore,
      Penalties,
      SharedClock,
      RelevelTickets,
      PostgresPartyStore,
      Metrics,
    ]),
  ],
  exports: [ApplyMatchUpdates],
})
export class UpdatesModule {}
