import type { BoardEntry, RatingPool, Season, StoredRating } from '@muster/domain';
import { currentOf, hiddenFor } from '../ledger/current.js';
import { opened, type OpenPool } from '../pools/open-pool.js';
import { isRankable } from './rankable.js';

const dayMs = 86_400_000;

/**
 * What a board was made for. Who is on it, since when and with which mean depends on all of it: a model's parameters change the
 * mean of a stored state, too. Calibrations do not, so they are not part of it.
 */
export function madeForOf({ generation, seasons, rules }: RatingPool): string {
  return JSON.stringify([generation, seasons?.length ?? 0, rules]);
}

/** Why a player is not on the board of the pool. */
export type Unranked =
  | { readonly why: 'no-match' }
  | { readonly why: 'no-match-in-season' }
  | { readonly why: 'hidden'; readonly left: number }
  | { readonly why: 'away'; readonly since: number };

/**
 * A player's place on the board of a pool. Ranked are players whose rating they may see themselves, who played in the season
 * that runs, and not too long ago: a rating that is stale, or that time without a match has begun to change, leaves the board
 * until the next match. Bots and erased players are never ranked.
 */
export function boardEntry(pool: RatingPool, playerId: string, rating: StoredRating): BoardEntry {
  const standing = standingOf(opened(pool), pool.seasons, rating);
  if ('why' in standing || !isRankable(playerId)) return { playerId, mu: null, region: null, leavesAt: null };
  return { playerId, region: rating.region ?? null, ...standing };
}

/** An entry as it is at a time: who has not played for too long by then is not on the board. */
export function entryAt(entry: BoardEntry, now: number): BoardEntry {
  return entry.leavesAt !== null && entry.leavesAt <= now ? { ...entry, mu: null } : entry;
}

/** @param now milliseconds since the epoch @returns null for a player who is on the board */
export function unrankedFor(pool: RatingPool, rating: StoredRating, now: number): Unranked | null {
  return unrankedAt(opened(pool), pool.seasons, rating, now);
}

/**
 * The same for the last of the given seasons. Final standings use it with the seasons up to the ended one, so they rank whom
 * the board ranked.
 *
 * @param at milliseconds since the epoch
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

function standingOf(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  rating: StoredRating,
): Unranked | (Pick<BoardEntry, 'leavesAt'> & { readonly mu: number }) {
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
