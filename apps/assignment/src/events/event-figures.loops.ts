import type { WebhookView } from '@muster/contracts';
import { ageSeconds, Metrics, SharedClock, type Samples } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresEventLog } from './event-log.store.js';
import { PostgresWebhooks } from './webhooks.store.js';

/** States how far readers and webhooks are behind. */
@Injectable()
export class EventFigures {
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
      webhookOpen: of(({ open }) => open),
      webhookDeadLetters: of(({ dead }) => dead),
    };
  }
}
