import { EntryRefused, type PlayerClaims, type PlayerRating, type QueueRules } from '@muster/domain';
import { entryGaps } from '@muster/matchmaking';
import { naming } from './address.js';

/**
 * Lets nobody in who lacks what the queue asks for: every player of a ticket must have all of it.
 *
 * @param ratings the leader's first, who reads what is missing
 * @param claims what the game's login says, by player; of whoever is missing it says nothing
 * @throws EntryRefused with what is missing, and for whom
 */
export function checkEntry(
  { name, entry }: Pick<QueueRules, 'name' | 'entry'>,
  ratings: readonly PlayerRating[],
  claims: ReadonlyMap<string, PlayerClaims>,
  now: number,
): void {
  if (!entry) return;
  const missing = ratings.flatMap(({ playerId, matches }) =>
    entryGaps(entry, { claims: claims.get(playerId) ?? {}, matches }, now).map((gap) => ({
      playerId,
      ...gap,
    })),
  );
  if (missing.length === 0) return;
  const leader = ratings[0]?.playerId;
  const nameOf = naming(leader);
  const who = ratings.length === 1 ? 'You may not' : 'Not all of you may';
  throw new EntryRefused(
    `${who} queue in ${name} yet: ${missing.map(({ playerId, words }) => `${nameOf(playerId)} ${words}`).join('; ')}.`,
    { missing: missing.map(({ playerId, requirement, needed }) => ({ playerId, requirement, needed })) },
  );
}
