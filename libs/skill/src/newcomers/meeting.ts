import type { SkillBelief } from '@muster/domain';
import type { Opposition, Search } from './search.js';

/** A player in a match, with the pool's belief before it. */
export interface MatchedPlayer extends SkillBelief {
  readonly playerId: string;
}

/** A match with a newcomer. */
export interface Meeting {
  readonly matchId: string;
  readonly teams: readonly (readonly MatchedPlayer[])[];
  /** By team; less is better, equal is a draw. */
  readonly ranks: readonly number[];
}

/** The information of a match about one player's level, in the form for `searchAfter`. */
export interface Evidence extends Opposition {
  readonly outcome: 0 | 0.5 | 1;
}

/** The scale of a logistic curve that is nearly as wide as a normal one of spread 1. */
export const logistic = 1.7;

/**
 * The information of a match about one of its newcomers, which moves the probe.
 *
 * The level that would have made it even: in a duel the opponent's; with n per side, the opponents' sum less the
 * teammates', n · opponents − (n − 1) · teammates.
 *
 * The scale: n performances per side add up, each with its own noise, so the difference of the sums is √n times as noisy as
 * in a duel; and the uncertainty about the others is noise, too.
 *
 * The outcome: of many teams, one placed before more than half of the others has won, and before fewer has lost.
 *
 * @returns null for a player who was not in it, or met nobody
 */
export function evidenceOf({ teams, ranks }: Meeting, playerId: string, search: Search): Evidence | null {
  const t = teams.findIndex((team) => team.some((member) => member.playerId === playerId));
  const own = teams[t] ?? [];
  const mates = own.filter((member) => member.playerId !== playerId);
  const opponents = teams.flatMap((team, other) => (other === t ? [] : team));
  if (own.length === 0 || opponents.length === 0) return null;
  const n = own.length;
  const level = n * meanOf(opponents) - (mates.length > 0 ? (n - 1) * meanOf(mates) : 0);
  const noise = (logistic * search.scale) ** 2 * n;
  // The mean of all opponents counts n times, for any number of them.
  const doubt = doubtOf(mates) + doubtOf(opponents) * (n / opponents.length) ** 2;
  const rank = ranks[t] ?? 0;
  const lead = ranks.reduce((sum, other, o) => sum + (o === t ? 0 : Math.sign(other - rank)), 0);
  return {
    outcome: lead > 0 ? 1 : lead < 0 ? 0 : 0.5,
    level,
    scale: Math.sqrt(noise + doubt) / logistic,
  };
}

/** All players a newcomer has met in the matches of their search. */
export function playersMetIn(search: Search): string[] {
  const ids = search.record.flatMap(({ meeting }) => meeting?.teams.flat() ?? []);
  return [...new Set(ids.map(({ playerId }) => playerId))];
}

function meanOf(players: readonly SkillBelief[]): number {
  return players.reduce((sum, { mu }) => sum + mu, 0) / players.length;
}

function doubtOf(players: readonly SkillBelief[]): number {
  return players.reduce((sum, { sigma }) => sum + sigma * sigma, 0);
}
