import type { Ids } from '@muster/domain';
import { Connections, construct, DB, ErrorLog, IDS, Metrics, provide, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ASSIGNMENT_SETTINGS, type AssignmentSettings } from '../settings.js';
import { DeliverEvents } from './deliver-events.js';
import { PostgresDeliveries } from './deliveries.store.js';
import { PostgresEventLog } from './event-log.store.js';
import { EventFigures } from './event-figures.loops.js';
import { EventStreams } from './event-stream.view.js';
import { EventsController } from './events.controller.js';
import { EventsLoops } from './events.loops.js';
import { ReceiverNetworks } from './receiver-networks.client.js';
import { makeSecret, WebhookSender } from './webhook-sender.client.js';
import { Webhooks } from './webhooks.js';
import { PostgresWebhooks } from './webhooks.store.js';

/** An attempt to send an event, its response included, in milliseconds. */
const attemptMs = 15_000;
/** A process that ends waits no longer for attempts: another one repeats them. */
const lastAttemptsMs = 3_000;

/** Events for receivers outside: the log, streams of it, and webhooks. */
@Module({
  controllers: [EventsController],
  providers: [
    EventsLoops,
    EventFigures,
    construct(PostgresEventLog, [DB]),
    construct(PostgresDeliveries, [DB]),
    construct(PostgresWebhooks, [DB]),
    construct(EventStreams, [PostgresEventLog, ErrorLog]),
    provide(
      ReceiverNetworks,
      [ASSIGNMENT_SETTINGS],
      ({ WEBHOOK_NETWORKS }: AssignmentSettings) => new ReceiverNetworks(WEBHOOK_NETWORKS),
    ),
    provide(
      WebhookSender,
      [ReceiverNetworks, SharedClock, Connections],
      (networks: ReceiverNetworks, { now }: SharedClock, open: Connections) => {
        const sender = new WebhookSender({ networks, timeoutMs: attemptMs, now });
        open.add(() => sender.close());
        return sender;
      },
    ),
    provide(
      DeliverEvents,
      [PostgresDeliveries, PostgresWebhooks, WebhookSender, ErrorLog, Metrics, Connections],
      (
        store: PostgresDeliveries,
        webhooks: PostgresWebhooks,
        sender: WebhookSender,
        errors: ErrorLog,
        meter: Metrics,
        open: Connections,
      ) => {
        const deliver = new DeliverEvents(store, webhooks, sender, errors.of('webhooks'), meter);
        open.add(() => Promise.race([deliver.idle(), sleep(lastAttemptsMs, null, { ref: false })]));
        return deliver;
      },
    ),
    provide(
      Webhooks,
      [PostgresWebhooks, PostgresDeliveries, WebhookSender, IDS, SharedClock],
      (
        store: PostgresWebhooks,
        deliveries: PostgresDeliveries,
        sender: WebhookSender,
        ids: Ids,
        clock: SharedClock,
      ) => new Webhooks({ store, deliveries, sender, ids, clock, makeSecret }),
    ),
  ],
})
export class EventsModule {}
