import { own, type Played, type PlayerFacts, type SkillBelief } from '@muster/domain';
import type { PoolStatsRow, StatsOfMatch } from '@muster/skill';
import { outcomeOf } from './newcomer-jobs.js';

/** What a fit reads of a rated match. */
export interface StatsMatch {
  readonly sequence: bigint;
  readonly matchId: string;
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly facts: Played['facts'];
  readonly stats: Played['stats'];
}

/** The stats of a player in a match, facts included; null without any, and for one who was not in it. */
export function statsOf(match: StatsMatch, playerId: string): StatsOfMatch | null {
  const team = match.teams.findIndex((members) => members.includes(playerId));
  if (team < 0) return null;
  const facts: PlayerFacts = own(match.facts ?? {}, playerId) ?? {};
  const all = Object.entries({ ...facts, ...own(match.stats ?? {}, playerId) });
  if (all.length === 0) return null;
  return {
    numbers: Object.fromEntries(
      all.flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
    ),
    categories: Object.fromEntries(
      all.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    outcome: outcomeOf(match.ranks, team),
  };
}

/** The rows of a match: those of its players with a rating to fit to. */
export function rowsOf(match: StatsMatch, ratings: ReadonlyMap<string, SkillBelief | null>): PoolStatsRow[] {
  return match.teams.flat().flatMap((player) => {
    const rating = ratings.get(player);
    const stats = rating && statsOf(match, player);
    return stats ? [{ player, match: match.matchId, rating, ...stats }] : [];
  });
}
