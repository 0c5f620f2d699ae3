import { QueueNotFound, type QueueRules } from '@muster/domain';

/** The queues there are, by name. */
export class Queues {
  private readonly byName: ReadonlyMap<string, QueueRules>;

  constructor(readonly all: readonly QueueRules[]) {
    this.byName = new Map(all.map((rules) => [rules.name, rules]));
  }

  /** @throws QueueNotFound with the names there are */
  named(name: string): QueueRules {
    const rules = this.byName.get(name);
    if (!rules)
      throw new QueueNotFound(
        `There is no queue "${name}"; there is ${this.all.map((q) => q.name).join(', ')}.`,
        { queue: name },
      );
    return rules;
  }
}
