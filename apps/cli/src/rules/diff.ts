import { differencesBetween, differenceText, type Difference } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { counted } from '@muster/command-line/terminal/table';
import { readValidRules } from '@muster/command-line/rules/document';
import { inForce } from './in-force.js';

/** The differences between the rules of one queue in a file and those in force. */
export interface QueueDiff {
  readonly queue: string;
  /** The version in force; 0 if there is no such queue. */
  readonly version: number;
  readonly differences: readonly Difference[];
}

/** Shows the changes that a file would make. @throws Error with a user-facing message */
export async function diffRules(ask: Ask, file: string): Promise<Answer> {
  const { queues } = await readValidRules(file);
  const all = await ask(async (operator) => {
    const diffs: QueueDiff[] = [];
    for (const rules of queues) {
      const now = await inForce(operator, rules.name);
      diffs.push({
        queue: rules.name,
        version: now?.version ?? 0,
        differences: now ? differencesBetween(now.rules, rules) : [],
      });
    }
    return { diffs, there: (await operator.queues()).queues.map(({ name }) => name) };
  });
  const notNamed = all.there.filter((name) => !queues.some((rules) => rules.name === name));
  return { json: { queues: all.diffs, notNamed }, text: (ink) => diffText(all.diffs, notNamed, ink) };
}

/** One line per differing value, by queue. */
export function diffText(diffs: readonly QueueDiff[], notNamed: readonly string[], ink: Ink): string[] {
  return [
    ...diffs.flatMap(({ queue, version, differences }) => {
      if (version === 0) return [`${ink.bold(queue)}: a new queue`];
      if (differences.length === 0) return [`${ink.bold(queue)}: as in force (version ${version})`];
      return [
        `${ink.bold(queue)}: ${counted(differences.length, 'difference')} to version ${version}`,
        ...differences.map((each) => `  ${differenceText(each)}`),
      ];
    }),
    ...(notNamed.length > 0 ? [ink.dim(`Not in the file, and unchanged: ${notNamed.join(', ')}`)] : []),
  ];
}
