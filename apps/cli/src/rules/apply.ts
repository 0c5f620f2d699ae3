import { differencesBetween, differenceText, flawText, type Difference } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { readValidRules, type ValidRules } from '@muster/command-line/rules/document';
import { inForce } from './in-force.js';

export interface ApplyOptions {
  readonly why?: string;
  readonly toWaiting: boolean;
}

/** The outcome for one queue of a file. */
export interface Applied {
  readonly queue: string;
  /** 0: the queue is new. */
  readonly before: number;
  readonly version: number;
  readonly changed: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Applies the rules of a file, queue by queue. Nothing changes if any rules are invalid or a pool is missing. A queue
 * that changes concurrently is not overwritten.
 *
 * @throws Error with a user-facing message that lists the queues already applied
 */
export async function applyRules(ask: Ask, file: string, options: ApplyOptions): Promise<Answer> {
  const document = await readValidRules(file);
  await checkPools(ask, file, document);
  const done: Applied[] = [];
  for (const rules of document.queues) {
    try {
      done.push(await applyOne(ask, rules, options));
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const before = done.map(({ queue, version }) => `${queue} (version ${version})`).join(', ');
      throw new Error(
        before === '' ? said : `${said}\nApplied from this file: ${before}; the others are unchanged.`,
        { cause: error },
      );
    }
  }
  return {
    json: { queues: done },
    text: () => done.flatMap((each) => appliedText(each, options.toWaiting)),
  };
}

/** @throws Error with one line per queue whose pool does not exist */
async function checkPools(ask: Ask, file: string, document: ValidRules): Promise<void> {
  const { pools } = await ask((operator) => operator.pools());
  const flaws = document.queues.flatMap(({ pool }, i) => {
    if (pools.some(({ name }) => name === pool)) return [];
    const path = [...(document.paths[i] ?? []), 'pool'];
    const names = pools.map(({ name }) => name).join(', ');
    const message = `there is no rating pool "${pool}", but ${names}; create it with "muster pools create ${pool}"`;
    return [flawText(file, { path, message, place: document.placeOf(path) })];
  });
  if (flaws.length > 0) throw new Error(`Nothing was changed:\n${flaws.join('\n')}`);
}

async function applyOne(
  ask: Ask,
  rules: ValidRules['queues'][number],
  { why = '', toWaiting }: ApplyOptions,
): Promise<Applied> {
  const queue = rules.name;
  const now = await ask((operator) => inForce(operator, queue));
  const before = now?.version ?? 0;
  const appliesTo = toWaiting ? 'all' : 'new';
  const body = { rules, why, appliesTo, expectedVersion: before } as const;
  const applied = await ask((operator) => operator.applyRules(queue, body));
  const differences = now ? differencesBetween(now.rules, rules) : [];
  return { queue, before, version: applied.version, changed: applied.changed, differences };
}

/** The outcome for a queue, as text. */
export function appliedText(
  { queue, before, version, changed, differences }: Applied,
  toWaiting: boolean,
): string[] {
  if (!changed) return [`${queue}: already in force (version ${version}).`];
  if (before === 0) return [`${queue}: a new queue, at version ${version}.`];
  const whom = toWaiting ? 'waiting tickets follow it as well' : 'waiting tickets keep their rules';
  return [
    `${queue}: version ${before} -> ${version}; ${whom}.`,
    ...differences.map((each) => `  ${differenceText(each)}`),
  ];
}
