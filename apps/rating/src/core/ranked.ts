import { isBot, isPseudonym, type Season, type StoredRating } from '@muster/domain';
import { currentOf, hiddenFor } from './current.js';
import type { OpenPool } from './open-pool.js';

const dayMs = 86_400_000;

/** Whether a player may have a rank at all, on a board or in final standings. Bots and erased players have none. */
export function isRankable(playerId: string): boolean {
  return !isBot(playerId) && !isPseudonym(playerId);
}

/** Why a player is not on the board of the pool. */
export type Unranked =
  | { readonly why: 'no-match' }
  | { readonly why: 'no-match-in-season' }
  | { readonly why: 'hidden'; readonly left: number }
  | { readonly why: 'away'; readonly since: number };

/**
 * Why a player is not ranked in the last of the given seasons. Final standings use it with the seasons up to the ended one, so
 * they rank whom the board ranked.
 *
 * @param at milliseconds since the epoch @returns null for a player who is ranked
 */
export function unrankedAt(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
  at: number,
): Unranked | null {
  const standing = standingOf(open, seasons, rating);
  if ('why' in standing) return standing;
  const { leavesAt } = standing;
  return leavesAt !== null && leavesAt <= at ? { why: 'away', since: leavesAt } : null;
}

/** When a ranked player leaves the ranks without another match, with the mean of the rating; or why they are in none. */
export function standingOf(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
): Unranked | { readonly mu: number; readonly leavesAt: number | null } {
  if (rating.state === null || rating.matches === 0) return { why: 'no-match' };
  const { state, since, seasonMatches } = currentOf(open, seasons, rating);
  if (seasonMatches === 0) return { why: 'no-match-in-season' };
  const { hidden, left } = hiddenFor(open, seasons, rating.matches, seasonMatches);
  if (hidden) return { why: 'hidden', left };
  const { mu } = open.model.model.belief(state);
  const stale = rating.lastRatedAt === null ? [] : [rating.lastRatedAt + open.rules.staleAfterDays * dayMs];
  const resting = open.inactivity && since !== null ? [since + open.inactivity.afterDays * dayMs] : [];
  const leavesAt = Math.min(...stale, ...resting);
  return { mu, leavesAt: Number.isFinite(leavesAt) ? Math.round(leavesAt) : null };
}
