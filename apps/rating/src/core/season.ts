import type { FinalStanding, Season, SeasonEvent, StoredRating } from '@muster/domain';
import { standingAt } from './current.js';
import type { OpenPool } from './open-pool.js';
import { isRankable, unrankedAt } from './ranked.js';

/** The season that an event of the ledger began. */
export function seasonOf({ number, name, rules, everyPart, at }: SeasonEvent, sequence: number): Season {
  const { keep, uncertainty, placementMatches } = rules;
  const season = { number, name, keep, uncertainty, placementMatches, startedAt: at, sequence };
  return everyPart ? { ...season, everyPart } : season;
}

/**
 * A player's standing at the end of the season in which the rating was last changed. Ranked are the players whom the board
 * ranked at that moment.
 *
 * @returns null when that season runs, the player played no match in it, or the player is a bot or erased
 */
export function finalStanding(
  open: OpenPool,
  seasons: readonly Season[] | undefined,
  playerId: string,
  rating: StoredRating,
): FinalStanding | null {
  const season = rating.season ?? 0;
  const next = seasons?.[season];
  if (!next || !isRankable(playerId)) return null;
  const upToIt = seasons?.slice(0, season);
  const unranked = unrankedAt(open, upToIt, rating, next.startedAt);
  if (unranked?.why === 'no-match' || unranked?.why === 'no-match-in-season') return null;
  const last = standingAt(open, upToIt, rating, next.startedAt);
  return {
    season,
    playerId,
    mu: last.mu,
    sigma: last.sigma,
    display: open.model.model.display(last.state),
    matches: last.seasonMatches,
    division: last.division,
    hidden: unranked?.why === 'hidden',
    away: unranked?.why === 'away',
  };
}
