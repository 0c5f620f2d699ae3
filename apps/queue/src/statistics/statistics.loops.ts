import { DeadLetters, Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Queues } from '../rules/queues.js';
import { AllocatorClient } from '../services/allocator.client.js';
import { RedisMinutes } from './minutes.store.js';

/** How late in a minute its note may be, in milliseconds. */
const lookMs = 5_000;

/** Notes each minute what was counted of every queue, and what can only be looked at: waiting tickets, slots, jobs. */
@Injectable()
export class MinuteNotes {
  private minute = 0;
  private readonly noted = new Set<string>();

  constructor(
    @Inject(RedisMinutes) private readonly minutes: RedisMinutes,
    @Inject(Queues) private readonly queues: Queues,
    @Inject(AllocatorClient) private readonly allocator: AllocatorClient | null,
    @Inject(DeadLetters) private readonly letters: DeadLetters,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {}

  @Every('minute notes', lookMs, { whileSound: true })
  async look(): Promise<void> {
    const now = this.clock.now();
    const minute = Math.floor(now / 60_000);
    if (minute !== this.minute) this.noted.clear();
    this.minute = minute;
    const note = async (queue: string, seen: () => Promise<Record<string, number>>): Promise<void> => {
      if (this.noted.has(queue)) return;
      await this.minutes.note(queue, await seen(), now);
      this.noted.add(queue);
    };
    const queues = this.queues.all.map(({ name }) => note(name, async () => ({})));
    await Promise.all([...queues, note('', () => this.ofRealm())]);
  }

  private async ofRealm(): Promise<Record<string, number>> {
    const [slots, jobs] = await Promise.all([
      // While the allocator is away, a note has no slots.
      this.allocator?.slots().catch(() => null) ?? null,
      this.letters.counts(),
    ]);
    const sum = (of: (each: (typeof jobs)[number]) => number): number =>
      jobs.reduce((total, each) => total + of(each), 0);
    return {
      ...(slots ? { 'slots-used': slots.used, 'slots-free': slots.free, 'slots-notes': 1 } : {}),
      'jobs-dead': sum(({ dead }) => dead),
      'jobs-retrying': sum(({ delayed }) => delayed),
    };
  }
}
