import type { RedisConnection } from './connect.js';

/** Wakes long polls across replicas. Delivery is best effort: waiters also poll at intervals. */
export class WakeUps {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** @param subscriber a dedicated connection */
  constructor(
    private readonly publisher: RedisConnection,
    private readonly subscriber: RedisConnection,
    private readonly channel: string,
    /** Called for wake-ups that could not be published. */
    private readonly onError: (error: unknown) => void,
  ) {
    subscriber.on('message', (_channel: string, topic: string) => this.ring(topic));
  }

  async start(): Promise<void> {
    await this.subscriber.subscribe(this.channel);
  }

  /** Wakes all waiters of this topic, in all replicas. Never fails: a lost wake-up only causes a delay. */
  wake(topic: string): void {
    this.ring(topic);
    this.publisher.publish(this.channel, topic).catch(this.onError);
  }

  /** Resolves on a wake-up, at the time-out or when the signal aborts, whichever is first. */
  async wait(topic: string, ms: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const of = this.waiting.get(topic) ?? new Set();
      const done = (): void => {
        clearTimeout(timer);
        of.delete(done);
        if (of.size === 0 && this.waiting.get(topic) === of) this.waiting.delete(topic);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      of.add(done);
      this.waiting.set(topic, of);
      signal?.addEventListener('abort', done);
      if (signal?.aborted) done();
    });
  }

  private ring(topic: string): void {
    for (const done of this.waiting.get(topic) ?? []) done();
  }
}
