import type {
  DeliveryView,
  PageOfDeliveries,
  WebhookBody,
  WebhookTested,
  WebhookView,
  WebhookWithSecret,
} from '@muster/contracts';
import { WebhookNotFound, WebhooksFull, type Clock, type Ids } from '@muster/domain';
import { isTaken } from './attempts.js';
import type { PostgresDeliveries } from './deliveries.store.js';
import { rotated } from './secrets.js';
import type { WebhookSender } from './webhook-sender.client.js';
import type { PostgresWebhooks } from './webhooks.store.js';

const hourMs = 3_600_000;
/** The most webhooks: each event is handed to each of them. */
const mostWebhooks = 100;

/** What webhooks need. */
export interface WebhooksNeed {
  readonly store: PostgresWebhooks;
  readonly deliveries: PostgresDeliveries;
  readonly sender: WebhookSender;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly makeSecret: () => string;
}

/** Webhooks for operators. */
export class Webhooks {
  constructor(private readonly has: WebhooksNeed) {}

  list(): Promise<WebhookView[]> {
    return this.has.store.list();
  }

  /** @throws WebhookNotFound */
  async one(webhookId: string): Promise<WebhookView> {
    return (await this.has.store.one(webhookId)) ?? notFound(webhookId);
  }

  /** @throws WebhooksFull */
  async create(body: WebhookBody): Promise<WebhookWithSecret> {
    const secret = this.has.makeSecret();
    const made = await this.has.store.add(
      this.has.ids.make('whk'),
      body,
      [{ secret, until: null }],
      mostWebhooks,
    );
    if (!made)
      throw new WebhooksFull(
        `There are ${mostWebhooks} webhooks, and there may not be more. Delete one that nobody needs.`,
        { limit: mostWebhooks },
      );
    return { ...made, secret };
  }

  /** What failed at the address before is due at once. @throws WebhookNotFound */
  async change(webhookId: string, body: WebhookBody): Promise<WebhookView> {
    const changed = (await this.has.store.change(webhookId, body)) ?? notFound(webhookId);
    await this.has.deliveries.hurry(webhookId, null);
    return changed;
  }

  /** After a pause, what failed before is due at once. @throws WebhookNotFound */
  async turn(webhookId: string, state: 'active' | 'paused'): Promise<WebhookView> {
    const turned = (await this.has.store.turn(webhookId, state)) ?? notFound(webhookId);
    if (state === 'active') await this.has.deliveries.hurry(webhookId, null);
    return turned;
  }

  /** Makes a new secret; the one before signs as well for a while. @throws WebhookNotFound */
  async rotate(webhookId: string, overlapHours: number): Promise<WebhookWithSecret> {
    const secret = this.has.makeSecret();
    const changed = await this.has.store.rotate(webhookId, (secrets, now) =>
      rotated(secrets, secret, { now, overlapMs: overlapHours * hourMs }),
    );
    return { ...(changed ?? notFound(webhookId)), secret };
  }

  /** Deletes a webhook. @returns it, as it was. @throws WebhookNotFound */
  async delete(webhookId: string): Promise<WebhookView> {
    const was = await this.one(webhookId);
    await this.has.store.delete(webhookId);
    return was;
  }

  /** Sends a message to a webhook, also to one that is paused. @throws WebhookNotFound */
  async test(webhookId: string): Promise<WebhookTested> {
    const { url } = await this.one(webhookId);
    const secrets = (await this.has.store.secrets(webhookId)) ?? notFound(webhookId);
    const begun = this.has.clock.now();
    const reply = await this.has.sender.send(url, secrets, {
      id: this.has.ids.make('evt'),
      type: 'webhook.test',
      version: 1,
      timestamp: new Date(begun).toISOString(),
      data: { webhookId },
    });
    const { status, error } = reply;
    return { ok: isTaken(reply), status, error, ms: Math.max(0, Math.round(this.has.clock.now() - begun)) };
  }

  /** @throws WebhookNotFound */
  async listDeliveries(webhookId: string, page: PageOfDeliveries): Promise<DeliveryView[]> {
    await this.one(webhookId);
    return this.has.deliveries.list(webhookId, page);
  }

  /** @throws WebhookNotFound */
  async retry(webhookId: string, positions: readonly number[] | null): Promise<number> {
    await this.one(webhookId);
    return this.has.deliveries.retry(webhookId, positions);
  }
}

function notFound(webhookId: string): never {
  throw new WebhookNotFound(`There is no webhook ${webhookId}; GET /v1/webhooks lists them.`, { webhookId });
}
