import { Admission, construct, CoordinatorIds, SharedClock } from '@muster/platform';
import { RedisTicketStore } from './ticket.store.js';
import { Inject, Module } from '@nestjs/common';
import { Calibrate } from '../calibration/calibrate.js';
import { CalibrationModule } from '../calibration/calibration.module.js';
import { RpcRatingReader } from '../calibration/rating.client.js';
import { WaitingModule } from '../matching/waiting.module.js';
import { PartiesModule } from '../parties/parties.module.js';
import { PostgresPartyStore } from '../parties/party.store.js';
import { QueueParty } from '../parties/queue-party.js';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { AbsentTickets } from '../recovery/absent-tickets.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { Standing } from '../standing/standing.js';
import { StoresModule } from '../stores.module.js';
import { AllocatorClient } from './allocator.client.js';
import { AllocatorModule } from './allocator.module.js';
import { Enqueue } from './enqueue.js';
import { KnownBuilds } from './known-builds.js';
import { ApplyMatchUpdates } from './match-updates.js';
import { leavingBy } from './leaving.js';
import { MyTickets } from './my-tickets.js';
import { TicketEventsModule } from './ticket-events.module.js';
import { TicketLevelsModule } from './ticket-levels.module.js';
import { TicketsController } from './tickets.controller.js';
import { TicketsProcessor } from './tickets.processor.js';

/** Players queue, alone or as a party, follow their ticket, and leave. */
@Module({
  imports: [
    StoresModule,
    RulesInForceModule,
    AllocatorModule,
    CalibrationModule,
    StandingModule,
    PartiesModule,
    WaitingModule,
    TicketEventsModule,
    TicketLevelsModule,
  ],
  controllers: [TicketsController],
  providers: [
    TicketsProcessor,
    construct(Enqueue, [
      Queues,
      RpcRatingReader,
      Calibrate,
      RedisTicketStore,
      SharedClock,
      CoordinatorIds,
      Standing,
      Penalties,
      FollowRules,
      KnownBuilds,
      RpcRatingReader,
    ]),
    construct(QueueParty, [PostgresPartyStore, Enqueue, SharedClock]),
    {
      provide: MyTickets,
      inject: [RedisTicketStore, SharedClock, AllocatorClient, ApplyMatchUpdates, AbsentTickets],
      useFactory: (
        store: RedisTicketStore,
        clock: SharedClock,
        allocator: AllocatorClient | null,
        updates: ApplyMatchUpdates,
        absent: AbsentTickets,
      ) => new MyTickets(store, clock, allocator && leavingBy(allocator, updates), absent),
    },
  ],
  exports: [MyTickets, TicketEventsModule],
})
export class TicketsModule {
  constructor(@Inject(Admission) admission: Admission, @Inject(Enqueue) enqueue: Enqueue) {
    admission.before('createTicket', () => enqueue.checkLoad());
  }
}
