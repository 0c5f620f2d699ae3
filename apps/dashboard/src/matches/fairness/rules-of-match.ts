import type { AnswerOf } from '@muster/contracts';
import { startersOf, type Match } from '../match.js';

type Version = Pick<AnswerOf<'listRules'>['versions'][number], 'version' | 'createdAt' | 'appliesTo'>;

/**
 * The version of a queue's rules by which a match was made: the newest that one of its tickets followed. A ticket follows the
 * newest version of when it was enqueued, and later ones that apply to all.
 *
 * @param versions newest first
 * @returns undefined when no version is that old: those before are missing
 */
export function versionOfMatch<V extends Version>(
  match: Pick<Match, 'proposedAt' | 'players'>,
  versions: readonly V[],
): V | undefined {
  const { proposedAt } = match;
  if (proposedAt === null) return undefined;
  const waits = startersOf(match).flatMap(({ waitedMs }) => waitedMs ?? []);
  const lastEnqueuedAt = proposedAt - (waits.length === 0 ? 0 : Math.min(...waits));
  return versions.find(
    ({ createdAt, appliesTo, version }) =>
      version === 1 || createdAt <= (appliesTo === 'all' ? proposedAt : lastEnqueuedAt),
  );
}
