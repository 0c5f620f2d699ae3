import { construct, constructWith, CoordinatorIds, SharedClock, TRACES } from '@muster/platform';
import { Admission } from '@muster/platform/admission';
import { Module } from '@nestjs/common';
import { Calibrate } from '../calibration/calibrate.js';
import { CalibrationModule } from '../calibration/calibration.module.js';
import { CoreModule } from '../core/core.module.js';
import { ReadTickets } from '../core/read-tickets.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { MatchingModule } from '../matching/matching.module.js';
import { PartiesModule } from '../parties/parties.module.js';
import { PostgresPartyStore } from '../parties/party.store.js';
import { Pauses } from '../pauses/pauses.js';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { AllocatorClient } from '../services/allocator.client.js';
import { KnownBuilds } from '../services/known-builds.js';
import { RatingClient } from '../services/rating.client.js';
import { ServicesModule } from '../services/services.module.js';
import { Bans } from '../standing/bans.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { Standing } from '../standing/standing.js';
import { CancelTicket } from './cancel-ticket.js';
import { Enqueue } from './enqueue.js';
import { ApplyMatchUpdates } from '../updates/match-updates.js';
import { TicketFigures } from './ticket-figures.loops.js';
import { TicketsController } from './tickets.controller.js';
import { UpdatesModule } from '../updates/updates.module.js';
import { ViewsModule } from './views.module.js';

/** Players queue, alone or as a party, follow their ticket, and leave. */
@Module({
  imports: [
    CoreModule,
    ServicesModule,
    RulesModule,
    CalibrationModule,
    StandingModule,
    PartiesModule,
    MatchingModule,
    UpdatesModule,
    ViewsModule,
  ],
  controllers: [TicketsController],
  providers: [
    TicketFigures,
    constructWith(Enqueue, {
      admission: Admission,
      parties: PostgresPartyStore,
      queues: Queues,
      follow: FollowRules,
      builds: KnownBuilds,
      ratings: RatingClient,
      pauses: Pauses,
      bans: Bans,
      penalties: Penalties,
      calibrate: Calibrate,
      standing: Standing,
      store: RedisTicketStore,
      clock: SharedClock,
      ids: CoordinatorIds,
      traces: TRACES,
    }),
    construct(CancelTicket, [RedisTicketStore, ReadTickets, AllocatorClient, ApplyMatchUpdates, SharedClock]),
  ],
  exports: [CancelTicket, ViewsModule],
})
export class TicketsModule {}
