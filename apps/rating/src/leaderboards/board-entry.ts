import type { RatingPool, StoredRating } from '@muster/domain';
import { opened } from '../core/open-pool.js';
import { isRankable, standingOf, unrankedAt, type Unranked } from '../core/ranked.js';
import type { BoardEntry } from './board.js';

/**
 * What a board was made for. Who is on it, since when and with which mean depends on all of it: a model's parameters change the
 * mean of a stored state, too. Calibrations do not, so they are not part of it.
 */
export function madeForOf({ generation, seasons, rules }: RatingPool): string {
  return JSON.stringify([generation, seasons?.length ?? 0, rules]);
}

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
