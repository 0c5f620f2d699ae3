import { QueueNotFound, RulesVersionNotFound, type QueueRules, type RulesVersion } from '@muster/domain';

/**
 * The queues there are, by name, with every version of their rules: what this process has heard of so far. Somebody feeds it
 * (see `FollowRules`); it only grows.
 */
export class Queues {
  private readonly byName = new Map<string, readonly RulesVersion[]>();
  private readonly listeners = new Set<(name: string) => void>();
  private inForce: readonly RulesVersion[] = [];

  /** @param rules queues that there are from the beginning, at version 1 */
  constructor(rules: readonly QueueRules[] = []) {
    this.learn(
      rules.map((each): RulesVersion => ({
        queue: each.name,
        version: 1,
        rules: each,
        why: '',
        appliesTo: 'new',
        createdAt: 0,
      })),
    );
  }

  /** The newest rules of every queue. */
  get all(): readonly QueueRules[] {
    return this.inForce.map(({ rules }) => rules);
  }

  /** The newest version of every queue. */
  get newest(): readonly RulesVersion[] {
    return this.inForce;
  }

  /** The newest rules of a queue. @throws QueueNotFound with the names there are */
  named(name: string): QueueRules {
    return this.newestOf(name).rules;
  }

  /** The number of a queue's newest version. @throws QueueNotFound with the names there are */
  versionOf(name: string): number {
    return this.newestOf(name).version;
  }

  /** The number of a queue's newest version as this process knows it; 0 for a queue that it does not know. */
  newestKnown(name: string): number {
    return this.byName.get(name)?.length ?? 0;
  }

  /**
   * One version of a queue's rules.
   *
   * @returns undefined for one that this process has not heard of yet: another replica put it in force a moment ago
   */
  version(name: string, version: number): QueueRules | undefined {
    return this.byName.get(name)?.[version - 1]?.rules;
  }

  /**
   * The version that holds for a waiting ticket: the one that it was told, unless a later one was put in force for those that
   * wait as well.
   *
   * @param toldVersion absent for a ticket of a time before rules had versions: it follows the newest
   * @throws QueueNotFound with the names there are
   */
  effectiveVersion(name: string, toldVersion: number | undefined): number {
    const versions = this.versionsOf(name);
    if (toldVersion === undefined) return versions.length;
    const forAll = versions.findLastIndex(({ appliesTo }) => appliesTo === 'all') + 1;
    return Math.max(toldVersion, forAll);
  }

  /** All versions of a queue, oldest first. @throws QueueNotFound with the names there are */
  versionsOf(name: string): readonly RulesVersion[] {
    const versions = this.byName.get(name);
    if (versions) return versions;
    const names = [...this.byName.keys()].join(', ');
    throw new QueueNotFound(
      names === ''
        ? `There is no queue "${name}", nor any other.`
        : `There is no queue "${name}"; there is ${names}.`,
      { queue: name },
    );
  }

  /** @throws QueueNotFound, RulesVersionNotFound with the numbers there are */
  oneVersion(name: string, version: number): RulesVersion {
    const versions = this.versionsOf(name);
    const found = versions[version - 1];
    if (found) return found;
    throw new RulesVersionNotFound(`The rules of ${name} have the versions 1 to ${versions.length}.`, {
      queue: name,
      version,
    });
  }

  /** Takes in versions, in rising order; those it knows are skipped. Tells the listeners of each queue that has a new one. */
  learn(versions: readonly RulesVersion[]): void {
    const changed = new Set<string>();
    for (const each of versions) {
      const known = this.byName.get(each.queue) ?? [];
      if (each.version !== known.length + 1) continue;
      this.byName.set(each.queue, [...known, each]);
      changed.add(each.queue);
    }
    if (changed.size === 0) return;
    this.inForce = [...this.byName.values()].flatMap((known) => known.at(-1) ?? []);
    for (const name of changed) for (const listener of this.listeners) listener(name);
  }

  /**
   * Calls the listener with the name of a queue whenever that is new or has new rules.
   *
   * @returns a function that ends this
   */
  onChange(listener: (name: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private newestOf(name: string): RulesVersion {
    const newest = this.versionsOf(name).at(-1);
    if (!newest) throw new TypeError(`${name} has no rules`);
    return newest;
  }
}
