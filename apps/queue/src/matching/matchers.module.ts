import type { Ids } from '@muster/domain';
import { IDS, JobSender, SharedClock } from '@muster/platform';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { AllocatorModule } from '../tickets/allocator.module.js';
import { KnownBuilds } from '../tickets/known-builds.js';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { StoresModule } from '../stores.module.js';
import { MATCHER_OF, MatcherLoops } from './matcher.loops.js';
import { Matcher } from './matcher.js';
import { QueuePools } from './queue-pools.js';
import { WaitingModule } from './waiting.module.js';

/** A matcher for each queue; one replica holds the lease of each. */
@Module({
  imports: [StoresModule, RulesInForceModule, WaitingModule, AllocatorModule],
  providers: [
    MatcherLoops,
    {
      provide: MATCHER_OF,
      inject: [
        Queues,
        QueuePools,
        RedisTicketStore,
        JobSender,
        SharedClock,
        IDS,
        QUEUE_SETTINGS,
        KnownBuilds,
      ],
      useFactory: matchers,
    },
  ],
})
export class MatchersModule {}

function matchers(
  queues: Queues,
  pools: QueuePools,
  store: RedisTicketStore,
  sender: JobSender,
  clock: SharedClock,
  ids: Ids,
  settings: QueueSettings,
  builds: KnownBuilds,
): (queue: string) => Matcher {
  // Identifies the process that holds a lease, for operators who read Redis.
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const leases = { leaseMs: settings.MATCHER_LEASE_MS, proposalLeaseMs: settings.PROPOSAL_LEASE_MS };
  return (queue) =>
    new Matcher(queue, queues, pools.of(queue), holder, store, sender, clock, ids, leases, builds);
}
