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
  type Explanation,
} from '@muster/domain';
import type { Queues } from './queues.js';
import type { PostgresRulesStore } from './rules.store.js';

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

/** Synchronises the queues of this process with the store. */
export class FollowRules {
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(
    private readonly queues: Queues,
    private readonly store: Pick<PostgresRulesStore, 'after' | 'seed'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates missing queues and reads all of them.
   *
   * @param seeds rules for queues that have none; other queues keep theirs
   * @param why is stored with the queues created
   * @returns names of the queues whose rules in force differ from their seed
   */
  async open(seeds: readonly QueueRules[], why: Explanation): Promise<string[]> {
    await this.store.seed(seeds, why, this.clock.now());
    await this.refresh();
    return seeds.filter((seed) => !sameRules(seed, this.queues.named(seed.name))).map(({ name }) => name);
  }

  /**
   * Reads new versions. Concurrent calls share one statement, so requests for unknown queues cost the store one read at a
   * time. A call never joins a read that began earlier: that read may miss the version the caller needs.
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
   * Runs a step that reads the rules of a queue. Another replica may have changed the rules a moment ago, so a refusal that
   * depends on rules is final only after they were read again: if they are newer, the step runs once more.
   *
   * @param step must change nothing before it refuses
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
    this.queues.addVersions(await this.store.after(new Map(known)));
  }
}
