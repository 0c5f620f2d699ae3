import type { WebhookView } from '@muster/contracts';
import type { Ids } from '@muster/domain';
import {
  ageSeconds,
  construct,
  DB,
  ErrorLog,
  IDS,
  Metrics,
  provide,
  SharedClock,
  type Samples,
} from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { DeliverEvents } from './deliver-events.js';
import { PostgresDeliveries } from './deliveries.store.js';
import { PostgresEventLog } from './event-log.store.js';
import { EventStreams } from './event-stream.view.js';
import { EventsController } from './events.controller.js';
import { EventsLoops } from './events.loops.js';
import { makeSecret, WebhookSender } from './webhook-sender.client.js';
import { Webhooks } from './webhooks.js';
import { PostgresWebhooks } from './webhooks.store.js';

/** An attempt to send an event, its response included, in milliseconds. */
const attemptMs = 15_000;

/** Events for receivers outside: the log, streams of it, and webhooks. */
@Module({
  controllers: [EventsController],
  providers: [
    EventsLoops,
    construct(PostgresEventLog, [DB]),
    construct(PostgresDeliveries, [DB]),
    construct(PostgresWebhooks, [DB]),
    construct(EventStreams, [PostgresEventLog, ErrorLog]),
    { provide: WebhookSender, useFactory: () => new WebhookSender(attemptMs) },
    provide(
      DeliverEvents,
      [PostgresDeliveries, WebhookSender, ErrorLog],
      (store: PostgresDeliveries, sender: WebhookSender, errors: ErrorLog) =>
        new DeliverEvents(store, sender, errors.of('webhooks'), () => performance.now(), Math.random),
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
export class EventsModule {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(PostgresEventLog) private readonly log: PostgresEventLog,
    @Inject(PostgresWebhooks) private readonly webhooks: PostgresWebhooks,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {
    metrics.add({ name: 'events', asksStore: true, read: () => this.read() });
  }

  private async read(): Promise<Samples> {
    const [lagMs, all] = await Promise.all([this.log.lagMs(), this.webhooks.list()]);
    const of = (value: (webhook: WebhookView) => number) =>
      all.map((webhook) => ({ labels: { webhook: webhook.webhookId }, value: value(webhook) }));
    return {
      eventLag: [{ labels: { muster_service: 'assignment' }, value: lagMs / 1000 }],
      webhookLag: of(({ oldestOpenAt: at }) => (at === null ? 0 : ageSeconds(this.clock.now(), at))),
      webhookDeadLetters: of(({ dead }) => dead),
    };
  }
}
