import {
  CrossPlayRefused,
  EntryRefused,
  PartyTooLarge,
  QueueNotFound,
  RulesVersionNotFound,
  sameRules,
  UnknownMap,
  UnknownPlatform,
  UnknownRole,
  type Clock,
  type QueueRules,
  type RulesStore,
  type Said,
} from '@muster/domain';
import type { Queues } from './queues.js';

/** Refusals that a newer version of the rules may lift. */
const refusals = [
  QueueNotFound,
  RulesVersionNotFound,
  UnknownRole,
  UnknownMap,
  UnknownPlatform,
  CrossPlayRefused,
  PartyTooLarge,
  EntryRefused,
];

/** Keeps the queues of this process as the store has them. */
export class FollowRules {
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(
    private readonly queues: Queues,
    private readonly store: RulesStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins: makes the queues that are not there yet, and reads all.
   *
   * @param seeds rules for queues that have none; a queue that has some keeps them
   * @param why is kept with the queues that are made
   * @returns names of the queues whose rules in force differ from their seed
   */
  async open(seeds: readonly QueueRules[], why: Said): Promise<string[]> {
    await this.store.seed(seeds, why, this.clock.now());
    await this.refresh();
    return seeds.filter((seed) => !sameRules(seed, this.queues.named(seed.name))).map(({ name }) => name);
  }

  /**
   * Reads what is new. Concurrent calls share one statement, so requests for unknown queues cost the store one read at a time.
   * A call never joins a read that began before it: that read may have missed what the caller looks for.
   */
  refresh(): Promise<void> {
    if (!this.running) return (this.running = this.read().finally(() => (this.running = null)));
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.refresh();
      });
    return this.next;
  }

  /**
   * Runs a step that reads the rules of a queue. Another replica may have put rules in force a moment ago, so a refusal that
   * rules decide is given only after the rules were read again: if they are newer, the step runs once more.
   *
   * @param step changes nothing before it refuses
   */
  async withNewest<T>(queue: string, step: () => T | Promise<T>): Promise<T> {
    const before = this.queues.newestKnown(queue);
    try {
      return await step();
    } catch (error) {
      if (!refusals.some((kind) => error instanceof kind)) throw error;
      await this.refresh();
      if (this.queues.newestKnown(queue) === before) throw error;
      return await step();
    }
  }

  private async read(): Promise<void> {
    const known = this.queues.newest.map(({ queue, version }) => [queue, version] as const);
    this.queues.learn(await this.store.after(new Map(known)));
  }
}
