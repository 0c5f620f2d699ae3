import type { Db } from '@muster/db';
import { DB, LOG, provide, type Log } from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { CoreModule, TICKETS_REDIS } from '../core/core.module.js';
import { RedisTicketStore } from '../core/ticket.store.js';
import { RedisTicketStream } from '../core/ticket-stream.store.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { CopyTicketEvents } from './copy-ticket-events.js';
import { TicketEventsLoops } from './ticket-events.loops.js';
import { PostgresTicketEvents } from './ticket-events.store.js';

/** Ticket events for receivers outside. */
@Module({
  imports: [CoreModule],
  providers: [
    TicketEventsLoops,
    provide(
      CopyTicketEvents,
      [DB, TICKETS_REDIS, QUEUE_SETTINGS, RedisTicketStore, LOG],
      (db: Db, redis: RedisConnection, { REALM }: QueueSettings, tickets: RedisTicketStore, log: Log) =>
        new CopyTicketEvents(
          new PostgresTicketEvents(db, REALM),
          new RedisTicketStream(redis, realmRoot(REALM)),
          tickets,
          () => log.warn('events of tickets were gone before they were copied: receivers miss them'),
        ),
    ),
  ],
})
export class TicketEventsModule {}
