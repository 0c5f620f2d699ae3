import { construct, Dependencies, LOG, SharedClock, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { QueuePools } from '../matching/queue-pools.js';
import { WaitingModule } from '../matching/waiting.module.js';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { ASSIGNMENT } from '../assignment.module.js';
import { StoresModule } from '../stores.module.js';
import { TicketEventsModule } from '../tickets/ticket-events.module.js';
import { RedisTicketFeed } from '../tickets/ticket-feed.store.js';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { RpcLiveTickets } from './live-tickets.client.js';
import { RecoveryLoops } from './recovery.loops.js';
import { RestoreTickets } from './restore-tickets.js';
import { RedisTicketMemory } from './ticket-memory.store.js';
import { WatchMemory } from './watch-memory.js';

/** Restores what Redis acknowledged and then lost. */
@Module({
  imports: [StoresModule, RulesInForceModule, TicketEventsModule, WaitingModule],
  providers: [
    RecoveryLoops,
    construct(RpcLiveTickets, [ASSIGNMENT]),
    construct(RestoreTickets, [RpcLiveTickets, RedisTicketMemory, RedisTicketStore, SharedClock]),
    {
      provide: WatchMemory,
      inject: [
        RedisTicketMemory,
        RestoreTickets,
        Queues,
        SharedClock,
        LOG,
        RedisTicketFeed,
        QueuePools,
        Dependencies,
      ],
      useFactory: watchMemory,
    },
  ],
})
export class RecoveryModule {}

function watchMemory(
  memory: RedisTicketMemory,
  tickets: RestoreTickets,
  queues: Queues,
  clock: SharedClock,
  log: Log,
  feed: RedisTicketFeed,
  pools: QueuePools,
  dependencies: Dependencies,
): WatchMemory {
  const watch = new WatchMemory(memory, tickets, queues, clock, randomUUID(), log, () => {
    pools.forget();
    feed.tellGap();
  });
  dependencies.add('needed', { name: 'tickets', check: () => watch.ready() });
  return watch;
}
