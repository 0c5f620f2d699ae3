import type { Redis } from 'ioredis';

/** Wakes long polls across replicas. Only speed: whoever waits also looks by itself now and then. */
export class WakeUps {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** @param subscriber a connection for this alone */
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: Redis,
    private readonly channel: string,
    /** Hears of wake-ups that could not be sent. */
    private readonly onError: (error: unknown) => void,
  ) {
    subscriber.on('message', (_channel: string, topic: string) => this.ring(topic));
  }

  async start(): Promise<void> {
    await this.subscriber.subscribe(this.channel);
  }

  /** Wakes everyone who waits for this topic, here and elsewhere. Never fails: a lost wake-up costs a moment only. */
  wake(topic: string): void {
    this.ring(topic);
    this.publisher.publish(this.channel, topic).catch(this.onError);
  }

  /** Resolves when the topic is woken, the time is up or the signal fires, whichever is first. */
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
