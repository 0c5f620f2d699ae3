import { construct, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { Calibrate } from '../calibration/calibrate.js';
import { CalibrationModule } from '../calibration/calibration.module.js';
import { RpcRatingReader } from '../calibration/rating.client.js';
import { PartiesModule } from '../parties/parties.module.js';
import { PostgresPartyStore } from '../parties/party.store.js';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { StoresModule } from '../stores.module.js';
import { ApplyMatchUpdates } from './match-updates.js';
import { RatingsProcessor } from './ratings.processor.js';
import { RelevelTickets } from './relevel-tickets.js';
import { RedisTicketStore } from './ticket.store.js';

/** What other services tell of open tickets: updates of their matches, and changed ratings of their players. */
@Module({
  imports: [StoresModule, RulesInForceModule, CalibrationModule, StandingModule, PartiesModule],
  providers: [
    RatingsProcessor,
    construct(RelevelTickets, [Queues, RpcRatingReader, Calibrate, RpcRatingReader, RedisTicketStore]),
    construct(ApplyMatchUpdates, [
      RedisTicketStore,
      Penalties,
      SharedClock,
      RelevelTickets,
      PostgresPartyStore,
    ]),
  ],
  exports: [ApplyMatchUpdates],
})
export class TicketLevelsModule {}
