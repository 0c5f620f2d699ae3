import { Lane, settlementOf } from './attempts.js';
import type { Claim, PostgresDeliveries, Target } from './deliveries.store.js';
import type { WebhookSender } from './webhook-sender.client.js';

/** An attempt is settled within this time, or its process ended. Longer than an attempt may take. */
const leaseMs = 30_000;

/**
 * Sends events to webhooks. Each webhook has a lane of its own: nothing waits for a slow receiver but its own events. A turn only
 * starts attempts, and does not wait for them.
 */
export class DeliverEvents {
  private readonly lanes = new Map<string, Lane>();
  /** Called when an attempt is over: there may be more to do. */
  onSettled: () => void = () => undefined;

  /** @param elapsed milliseconds of a monotonic clock */
  constructor(
    private readonly store: Pick<PostgresDeliveries, 'targets' | 'claim' | 'settle' | 'hurry'>,
    private readonly sender: Pick<WebhookSender, 'send'>,
    private readonly onError: (error: unknown) => void,
    private readonly elapsed: () => number,
    private readonly random: () => number,
  ) {}

  /** Starts the attempts that are due. */
  async turn(): Promise<void> {
    const targets = await this.store.targets();
    const known = new Set(targets.map(({ webhookId }) => webhookId));
    for (const [id, { open }] of this.lanes) if (open === 0 && !known.has(id)) this.lanes.delete(id);
    await Promise.all(targets.map((target) => this.fill(target)));
  }

  private async fill(target: Target): Promise<void> {
    const lane = this.laneOf(target.webhookId);
    const free = lane.free(this.elapsed());
    if (free === 0) return;
    const claims = await this.store.claim(target.webhookId, free, leaseMs);
    for (const claim of claims) {
      lane.open += 1;
      void this.attempt(target, claim, lane)
        .catch(this.onError)
        .finally(() => {
          lane.open -= 1;
          this.onSettled();
        });
    }
  }

  private async attempt({ webhookId, url, secrets }: Target, claim: Claim, lane: Lane): Promise<void> {
    const reply = await this.sender.send(url, secrets, claim.event);
    const isBack = lane.note(reply, this.elapsed());
    await this.store.settle(webhookId, claim, settlementOf(reply, claim, this.random()));
    if (isBack) await this.store.hurry(webhookId);
  }

  private laneOf(webhookId: string): Lane {
    const lane = this.lanes.get(webhookId) ?? new Lane();
    this.lanes.set(webhookId, lane);
    return lane;
  }
}
