import { construct, DB, Dependencies, ErrorLog, LOG, SharedClock, type Log } from '@muster/platform';
import type { Db } from '@muster/db';
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
import { DatabaseIdentity } from './database-identity.store.js';
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
      provide: DatabaseIdentity,
      inject: [DB, SharedClock, ErrorLog],
      useFactory: (db: Db, clock: SharedClock, errors: ErrorLog) =>
        new DatabaseIdentity(db, clock, errors.of('the identity of the database')),
    },
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
        DatabaseIdentity,
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
  database: DatabaseIdentity,
): WatchMemory {
  const onLoss = (): void => {
    pools.forget();
    feed.tellGap();
  };
  const identity = (): Promise<string | null> => database.read();
  const watch = new WatchMemory(memory, tickets, queues, clock, randomUUID(), log, onLoss, identity);
  dependencies.add('needed', { name: 'tickets', check: () => watch.ready() });
  return watch;
}
