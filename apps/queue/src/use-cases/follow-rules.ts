import { sameRules, type Clock, type QueueRules, type RulesStore } from '@muster/domain';
import type { Queues } from './queues.js';

/** Keeps the queues of this process as the store has them. */
export class FollowRules {
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
  async open(seeds: readonly QueueRules[], why: string): Promise<string[]> {
    await this.store.seed(seeds, why, this.clock.now());
    await this.refresh();
    return seeds.filter((seed) => !sameRules(seed, this.queues.named(seed.name))).map(({ name }) => name);
  }

  /** Reads what is new. */
  async refresh(): Promise<void> {
    const known = this.queues.newest.map(({ queue, version }) => [queue, version] as const);
    this.queues.learn(await this.store.after(new Map(known)));
  }
}
