import type { AspectWorth, MatchAspects } from '@muster/domain';
import { aspectsOf, type AspectfulRules } from '../ratings/match-aspects.js';
import type { RatingClient } from '../ratings/rating.client.js';
import type { LiveMatch } from './live-session.store.js';

/** What a player counts in a running match, in rating points. */
export interface Counts {
  /** On any side: of sides that count differently, the mean. */
  readonly rating: number;
  /** Half of what the first of two sides counts more than the second; 0 when absent. */
  readonly lead?: number;
}

/**
 * What a player counts by rating, map, role and sides.
 *
 * A player who counts w + a on the first of two sides and w + b on the second counts w + (a + b)/2 on either, and adds
 * (a − b)/2 to the lead of the first one, whichever team they play for. With more teams the lead of one over another depends
 * on the pair, so only the mean counts.
 *
 * @param level the rating alone
 * @param worth what the pool knows beside it
 * @param role the index of the player's role, of those that were asked for; −1: none is known
 */
export function countsOf(level: number, worth: AspectWorth | undefined, role = -1): Counts {
  if (!worth) return { rating: level };
  const { map, sides, roles } = worth;
  const mean = sides.reduce((sum, each) => sum + each, 0) / Math.max(1, sides.length);
  const [first = 0, second = 0] = sides;
  const lead = sides.length === 2 ? (first - second) / 2 : 0;
  const rating = level + map + (roles[role] ?? 0) + mean;
  return lead === 0 ? { rating } : { rating, lead };
}

export type CountsByPlayer = ReadonlyMap<string, Counts>;

/** The aspects of a queue's match; undefined where it has none. Its rules may be written by any release. */
export function aspectsOfMatch({ rules, map }: LiveMatch): MatchAspects | undefined {
  const { teams = 2, teamSize = 1, sides, roles } = (rules ?? {}) as Partial<AspectfulRules>;
  return aspectsOf({ teams, teamSize, sides, roles }, map);
}

/**
 * What players count in a match, in the roles that it has for them.
 *
 * @param levels what they count by the rating alone; the present rating where it is not given
 * @throws RatingUnavailable when it cannot be read in time
 */
export async function readCounts(
  pools: Pick<RatingClient, 'read'>,
  match: LiveMatch,
  playerIds: readonly string[],
  levels: ReadonlyMap<string, number> = new Map(),
): Promise<CountsByPlayer> {
  const aspects = aspectsOfMatch(match);
  const roles = new Map(match.players.map(({ playerId, role }) => [playerId, role]));
  const read = await pools.read(match.pool, playerIds, aspects);
  return new Map(
    read.map(({ playerId, mu, worth }) => {
      const role = aspects?.roles.indexOf(roles.get(playerId) ?? '');
      return [playerId, countsOf(levels.get(playerId) ?? mu, worth ?? undefined, role)];
    }),
  );
}
