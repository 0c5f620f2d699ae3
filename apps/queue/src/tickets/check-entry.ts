import { sentenceOf, viewsOf } from '@muster/contracts';
import { EntryRefused, type PlayerClaims, type PlayerRating, type QueueRules } from '@muster/domain';
import { entryGaps, gapMessage } from '@muster/matchmaking';

/**
 * Checks the queue's entry requirements: every player of a ticket must meet all of them.
 *
 * @param ratings the leader's first, who reads what is missing
 * @param claims claims of the game's login by player; a missing player has none
 * @throws EntryRefused with the missing requirements of each player
 */
export function checkEntry(
  { name, entry }: Pick<QueueRules, 'name' | 'entry'>,
  ratings: readonly PlayerRating[],
  claims: ReadonlyMap<string, PlayerClaims>,
  now: number,
): void {
  if (!entry) return;
  const missing = ratings.flatMap(({ playerId, matches }) =>
    entryGaps(entry, { claims: claims.get(playerId) ?? {}, matches }, now).map((gap) => ({ playerId, gap })),
  );
  if (missing.length === 0) return;
  const leader = ratings[0]?.playerId;
  const who = ratings.length === 1 ? 'You may not' : 'Not all of you may';
  const messages = missing.map(({ playerId, gap }) => gapMessage(gap, playerId, playerId === leader));
  throw new EntryRefused(`${who} queue in ${name} yet: ${messages.map(sentenceOf).join('; ')}.`, {
    missing: missing.map(({ playerId, gap }) => ({ playerId, ...gap })),
    detailMessages: viewsOf(messages),
  });
}
