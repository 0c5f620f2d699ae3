import { QueueNotFound, RulesVersionNotFound, type QueueRules, type RulesVersion } from '@muster/domain';

/**
 * The queues by name, with every version of their rules that this process knows. `FollowRules` adds versions; none is ever
 * removed.
 */
export class Queues {
  private readonly byName = new Map<string, readonly RulesVersion[]>();
  private readonly listeners = new Set<(name: string) => void>();
  private inForce: readonly RulesVersion[] = [];

  /** @param rules queues that exist from the start, at version 1 */
  constructor(rules: readonly QueueRules[] = []) {
    this.addVersions(
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

  /** The newest rules of a queue. @throws QueueNotFound with the known names */
  named(name: string): QueueRules {
    return this.newestOf(name).rules;
  }

  /** The number of a queue's newest version. @throws QueueNotFound with the known names */
  versionOf(name: string): number {
    return this.newestOf(name).version;
  }

  /** The number of a queue's newest version known to this process; 0 for an unknown queue. */
  newestKnown(name: string): number {
    return this.byName.get(name)?.length ?? 0;
  }

  /**
   * One version of a queue's rules.
   *
   * @returns undefined for a version that this process does not know yet: another replica may have created it a moment ago
   */
  version(name: string, version: number): QueueRules | undefined {
    return this.byName.get(name)?.[version - 1]?.rules;
  }

  /**
   * The version that applies to a waiting ticket: its own, unless a later one applies to waiting tickets as well.
   *
   * @param toldVersion absent for a ticket from before rules had versions: it follows the newest
   * @throws QueueNotFound with the known names
   */
  effectiveVersion(name: string, toldVersion: number | undefined): number {
    const versions = this.versionsOf(name);
    if (toldVersion === undefined) return versions.length;
    const forAll = versions.findLastIndex(({ appliesTo }) => appliesTo === 'all') + 1;
    return Math.max(toldVersion, forAll);
  }

  /** All versions of a queue, oldest first. @throws QueueNotFound with the known names */
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

  /** @throws QueueNotFound, RulesVersionNotFound with the known numbers */
  oneVersion(name: string, version: number): RulesVersion {
    const versions = this.versionsOf(name);
    const found = versions[version - 1];
    if (found) return found;
    throw new RulesVersionNotFound(`The rules of ${name} have the versions 1 to ${versions.length}.`, {
      queue: name,
      version,
    });
  }

  /** Adds versions, in rising order; known ones are skipped. Calls the listeners for each queue that has a new one. */
  addVersions(versions: readonly RulesVersion[]): void {
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
   * Calls the listener with the name of each queue that is new or has new rules.
   *
   * @returns a function that unsubscribes
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
