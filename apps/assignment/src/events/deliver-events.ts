import { noMeter, type Meter } from '@muster/contracts';
import { Lane, settlementOf, widest } from './attempts.js';
import type { Claim, PostgresDeliveries } from './deliveries.store.js';
import type { PostgresWebhooks } from './webhooks.store.js';
import type { WebhookSender } from './webhook-sender.client.js';

/** An attempt is settled within this time, or its process ended. Longer than an attempt may take. */
const leaseMs = 30_000;
/** By Standard Webhooks, a receiver answers so when it wants no more. */
const gone = 410;

/**
 * Sends events to webhooks. Each webhook has a lane of its own: nothing waits for a slow receiver but its own events. A turn only
 * starts attempts, and does not wait for them.
 */
export class DeliverEvents {
  private readonly lanes = new Map<string, Lane>();
  private readonly running = new Set<Promise<void>>();
  /** Called when an attempt is over: there may be more to do. */
  onSettled: () => void = () => undefined;

  /** @param elapsed milliseconds of a monotonic clock @param random in [0, 1) */
  constructor(
    private readonly store: Pick<PostgresDeliveries, 'claim' | 'settle' | 'hurry'>,
    private readonly webhooks: Pick<PostgresWebhooks, 'stop'>,
    private readonly sender: Pick<WebhookSender, 'send'>,
    private readonly onError: (error: unknown) => void,
    private readonly meter: Meter = noMeter,
    private readonly elapsed: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** Starts the attempts that are due. */
  async turn(): Promise<void> {
    const now = this.elapsed();
    for (const [id, lane] of this.lanes) if (lane.isUnused) this.lanes.delete(id);
    const places = [...this.lanes].map(([webhookId, lane]) => ({
      webhookId,
      url: lane.url,
      free: lane.free(now),
    }));
    for (const claim of await this.store.claim(places, widest, leaseMs)) {
      const lane = this.laneOf(claim);
      lane.open += 1;
      const running = this.attempt(claim, lane)
        .catch(this.onError)
        .finally(() => {
          lane.open -= 1;
          this.running.delete(running);
          this.onSettled();
        });
      this.running.add(running);
    }
  }

  /** Waits for attempts in progress, so that a process that ends leaves none to be repeated. */
  async idle(): Promise<void> {
    await Promise.all(this.running);
  }

  private async attempt(claim: Claim, lane: Lane): Promise<void> {
    const { webhookId, url, secrets, event } = claim;
    const reply = await this.sender.send(url, secrets, event);
    const absenceMs = lane.note(reply, this.elapsed());
    const settlement = settlementOf(reply, claim, this.random());
    this.meter.count('webhookDeliveries', {
      outcome: settlement.state === 'due' ? 'failed' : settlement.state,
    });
    await this.store.settle(claim, settlement);
    if (absenceMs !== null) await this.store.hurry(webhookId, absenceMs);
    if (reply.status === gone) await this.webhooks.stop(webhookId, url, 'The receiver answered 410 Gone.');
  }

  private laneOf({ webhookId, url }: Claim): Lane {
    const known = this.lanes.get(webhookId);
    const lane = known?.url === url ? known : new Lane(url);
    this.lanes.set(webhookId, lane);
    return lane;
  }
}
