import { construct, JobSender, ownClocks, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { ReadTickets } from '../core/read-tickets.js';
import { RedisTicketList } from '../core/ticket-list.store.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { PausesModule } from '../pauses/pauses.module.js';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { AssignmentClient } from '../services/assignment.client.js';
import { KnownBuilds } from '../services/known-builds.js';
import { ServicesModule } from '../services/services.module.js';
import { QUEUE_SETTINGS } from '../settings.js';
import { Penalties } from '../standing/penalties.js';
import { StandingModule } from '../standing/standing.module.js';
import { ExplainWaiting } from './explain-waiting.js';
import { Hearing, playersHeard } from './hearing.js';
import { MatcherLoops, matchers } from './matcher.loops.js';
import { MatchingProcessor } from './matching.processor.js';
import { QueuePool, QueuePools } from './queue-pool.js';
import { ReadRecord } from './read-record.js';
import { ReadyChecks } from './ready-checks.js';
import { SettleProposals } from './settle-proposals.js';
import { ShowWaiting } from './show-waiting.js';
import { WaitingController } from './waiting.controller.js';

/** Matchers propose matches of the waiting tickets, players accept them, and a reconciler settles what is left over. */
@Module({
  imports: [CoreModule, ServicesModule, RulesModule, PausesModule, StandingModule],
  controllers: [WaitingController],
  providers: [
    MatchingProcessor,
    MatcherLoops,
    matchers,
    {
      provide: QueuePools,
      inject: [Queues, RedisTicketStore, SharedClock],
      useFactory: (queues: Queues, store: RedisTicketStore, clock: SharedClock) =>
        new QueuePools((name) => new QueuePool(name, queues, store, clock)),
    },
    construct(ExplainWaiting, [QueuePools, FollowRules, SharedClock, KnownBuilds]),
    construct(ShowWaiting, [
      Queues,
      FollowRules,
      ExplainWaiting,
      RedisTicketList,
      RedisTicketStore,
      SharedClock,
    ]),
    construct(ReadRecord, [Queues, FollowRules, RedisTicketStore, SharedClock]),
    construct(SettleProposals, [RedisTicketStore, AssignmentClient, SharedClock, QUEUE_SETTINGS]),
    {
      provide: Hearing,
      inject: [SharedClock],
      useFactory: (clock: SharedClock) =>
        new Hearing(playersHeard, () => {
          const own = ownClocks();
          return [own, { ...own, wallMs: clock.now() }];
        }),
    },
    construct(ReadyChecks, [
      RedisTicketStore,
      ReadTickets,
      Penalties,
      JobSender,
      SharedClock,
      Hearing,
      QUEUE_SETTINGS,
    ]),
  ],
  exports: [PausesModule, QueuePools, ExplainWaiting, ReadyChecks],
})
export class MatchingModule {}
