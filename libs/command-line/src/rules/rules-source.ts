import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { stat } from 'node:fs/promises';
import { readValidRules } from './document.js';

/**
 * The rules of one queue: a built-in one by name, or those of a document; `file:name` selects one of several.
 *
 * @throws Error with a user-facing message
 */
export async function rulesFrom(source: string): Promise<QueueRules> {
  const builtIn = defaultQueues.find(({ name }) => name === source);
  if (builtIn) return builtIn;
  const { file, name } = await picked(source);
  const { queues } = await readValidRules(file);
  const [only] = queues;
  if (name === null && queues.length === 1 && only) return only;
  const chosen = queues.find((queue) => queue.name === name);
  if (chosen) return chosen;
  throw new Error(
    name === null
      ? `${file} has the rules of ${queues.length} queues; select one by ${file}:NAME. There is ${namesOf(queues)}.`
      : `${file} has no queue "${name}"; there is ${namesOf(queues)}.`,
  );
}

/** A file name may contain a colon. */
async function picked(source: string): Promise<{ file: string; name: string | null }> {
  const colon = source.lastIndexOf(':');
  const isThere = await stat(source).then(
    () => true,
    () => false,
  );
  return isThere || colon < 0
    ? { file: source, name: null }
    : { file: source.slice(0, colon), name: source.slice(colon + 1) };
}

function namesOf(queues: readonly QueueRules[]): string {
  return queues.map(({ name }) => name).join(', ');
}
