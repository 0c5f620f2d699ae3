import { endpointOf, endpoints, type AnswerOf, type EndpointName } from '@muster/contracts';
import { namedBy, type Named } from '../ui/links/ids.js';

export type AuditEntry = AnswerOf<'listAudit'>['entries'][number];

/** Commands that change the database themselves stand in the log as well. */
const commands: ReadonlyMap<string, string> = new Map([
  ['archiveMatches', 'Archive matches, and delete them.'],
  ['erasePlayer', 'Erase a player.'],
  ['exportPlayer', 'Export the data of a player.'],
  ['holdPlayer', 'Keep the data of a player from deletion.'],
  ['releasePlayer', 'End that.'],
]);

const isCall = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

/** Calls and commands that the log may have, by their names. */
export const auditedCalls: readonly string[] = [
  ...Object.keys(endpoints).filter((name) => {
    if (!isCall(name)) return false;
    const { role, method } = endpointOf(name);
    return role !== undefined && method !== 'GET';
  }),
  ...commands.keys(),
].toSorted();

/** What a call does, in the words of its documentation; empty for one of another release. */
export const callWords = (call: string): string =>
  isCall(call) ? endpointOf(call).summary : (commands.get(call) ?? '');

/** What a target is: its form tells, or the field of the request that it was in. */
export function targetOf(target: string, asked: AuditEntry['asked']): Named | null {
  const [field = ''] = Object.entries(asked ?? {}).find(([, value]) => value === target) ?? [];
  return namedBy(target, field);
}

/** How it ended. */
export const outcomeWords = (outcome: string): string =>
  outcome === 'done' ? 'done' : `refused: ${outcome.replaceAll('-', ' ')}`;
