import type { Db } from '@muster/db';
import {
  construct,
  constructWith,
  DB,
  Dependencies,
  ErrorLog,
  IDS,
  LOG,
  SharedClock,
} from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { RedisTicketFeed } from '../core/ticket-feed.store.js';
import { RedisTicketMemory } from '../core/ticket-memory.store.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { MatchingModule } from '../matching/matching.module.js';
import { QueuePools } from '../matching/queue-pool.js';
import { Queues } from '../rules/queues.js';
import { RulesModule } from '../rules/rules.module.js';
import { AssignmentClient } from '../services/assignment.client.js';
import { ServicesModule } from '../services/services.module.js';
import { DatabaseIdentity } from './database-identity.store.js';
import { RecoveryLoops } from './recovery.loops.js';
import { RestoreTickets } from './restore-tickets.js';
import { WatchMemory } from './watch-memory.js';

/** Restores what Redis acknowledged and then lost. */
@Module({
  imports: [CoreModule, ServicesModule, RulesModule, MatchingModule],
  providers: [
    RecoveryLoops,
    construct(RestoreTickets, [AssignmentClient, RedisTicketMemory, RedisTicketStore, SharedClock]),
    {
      provide: DatabaseIdentity,
      inject: [DB, SharedClock, ErrorLog],
      useFactory: (db: Db, clock: SharedClock, errors: ErrorLog) =>
        new DatabaseIdentity(db, clock, errors.of('the identity of the database')),
    },
    constructWith(WatchMemory, {
      memory: RedisTicketMemory,
      tickets: RestoreTickets,
      queues: Queues,
      pools: QueuePools,
      feed: RedisTicketFeed,
      database: DatabaseIdentity,
      clock: SharedClock,
      ids: IDS,
      log: LOG,
    }),
  ],
})
export class RecoveryModule {
  constructor(@Inject(Dependencies) dependencies: Dependencies, @Inject(WatchMemory) watch: WatchMemory) {
    dependencies.add('needed', { name: 'tickets', check: () => watch.ready() });
  }
}
