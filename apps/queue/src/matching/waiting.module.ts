import { construct, SharedClock } from '@muster/platform';
import { AllocatorModule } from '../tickets/allocator.module.js';
import { KnownBuilds } from '../tickets/known-builds.js';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { FollowRules } from '../rules/follow-rules.js';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { StoresModule } from '../stores.module.js';
import { ExplainWaiting } from './explain-waiting.js';
import { QueuePool } from './queue-pool.js';
import { QueuePools } from './queue-pools.js';
import { ReadRecord } from './read-record.js';
import { ShowWaiting } from './show-waiting.js';

/** The waiting tickets of each queue as this replica knows them, with explanations. */
@Module({
  imports: [StoresModule, RulesInForceModule, AllocatorModule],
  providers: [
    {
      provide: QueuePools,
      inject: [Queues, RedisTicketStore, SharedClock],
      useFactory: (queues: Queues, store: RedisTicketStore, clock: SharedClock) =>
        new QueuePools((name) => new QueuePool(name, queues, store, clock)),
    },
    construct(ExplainWaiting, [QueuePools, FollowRules, SharedClock, KnownBuilds]),
    construct(ShowWaiting, [Queues, FollowRules, ExplainWaiting, RedisTicketStore, SharedClock]),
    construct(ReadRecord, [Queues, FollowRules, RedisTicketStore, SharedClock]),
  ],
  exports: [QueuePools, ExplainWaiting, ShowWaiting, ReadRecord],
})
export class WaitingModule {}
