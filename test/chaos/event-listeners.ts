import type { FollowedEvent } from '@muster/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '../support/prisma.js';
import type { Stack } from '../support/stack.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import type { Finding } from './verdict.js';

/** How long the last events may take after the load, in milliseconds. */
const lastWithinMs = 90_000;

/** A receiver of a webhook and a follower of the stream, which listen to a system under faults. */
export class EventListeners {
  private readonly receiver = new WebhookReceiver();
  private readonly followed: FollowedEvent[] = [];
  private failure: string | null = null;
  private readonly over = new AbortController();

  private constructor(private readonly stack: Pick<Stack, 'operator' | 'run'>) {}

  static async start(stack: Pick<Stack, 'operator' | 'run'>): Promise<EventListeners> {
    const listeners = new EventListeners(stack);
    const { receiver } = listeners;
    await receiver.start();
    receiver.secret = (await stack.operator.createWebhook({ url: receiver.url })).secret;
    listeners.follow().catch((error: unknown) => (listeners.failure = String(error)));
    return listeners;
  }

  /** Kills the receiver, and starts it again. */
  async restartReceiver(awayMs: number): Promise<void> {
    await this.receiver.kill();
    await sleep(awayMs);
    await this.receiver.start();
  }

  /** Compares what arrived with the log of events, once it has. */
  async judge(): Promise<Finding[]> {
    const db = createDb(this.stack.run.databaseUrl, { maxConnections: 1 });
    try {
      const end = performance.now() + lastWithinMs;
      while (performance.now() < end) {
        const open = await db.webhookDelivery.count({ where: { state: { in: ['due', 'behind'] } } });
        const { _max: last } = await db.eventLog.aggregate({ _max: { position: true } });
        if (open === 0 && this.followed.at(-1)?.position === Number(last.position)) break;
        await sleep(500);
      }
      const events = await db.eventLog.findMany({ orderBy: { position: 'asc' } });
      // A webhook gets what happens after it was made.
      const { _min: first } = await db.webhookDelivery.aggregate({ _min: { position: true } });
      const handed = events.filter(({ position }) => position >= (first.position ?? 0n));
      // Of the first receipt of each.
      const arrived = new Map(this.receiver.taken.map(({ id }, i) => [id, i] as const).toReversed());
      const latest = new Map<string, number>();
      const disordered = events.filter(({ eventId, orderKey }) => {
        const [before, at] = [latest.get(orderKey) ?? -1, arrived.get(eventId) ?? -1];
        latest.set(orderKey, Math.max(before, at));
        return at >= 0 && at < before;
      });
      const told = ({ type, orderKey }: (typeof events)[number]): string => `${type} of ${orderKey}`;
      return [
        {
          promise: `every event reached the webhook (${handed.length})`,
          broken: handed.filter(({ eventId }) => !arrived.has(eventId)).map(told),
        },
        { promise: 'events of a match reached the webhook in order', broken: disordered.map(told) },
        {
          promise: 'the stream had every event once, in order',
          broken: [
            this.failure ?? [],
            events.filter(({ eventId }, i) => this.followed[i]?.id !== eventId).map(told),
          ].flat(),
        },
      ];
    } finally {
      await db.$disconnect();
    }
  }

  async stop(): Promise<void> {
    this.over.abort();
    await this.receiver.kill();
  }

  private async follow(): Promise<void> {
    for await (const event of this.stack.operator.followEvents({ after: 0, signal: this.over.signal }))
      this.followed.push(event);
  }
}
