import type { SkillBelief } from '@muster/domain';
import { teamAfter } from './contest.js';

/** The effect of a result on a team as a whole, in units of its own spread. */
export interface TeamShift {
  /** Moves a member's mean by weight · variance · this. */
  readonly mean: number;
  /** Shrinks a member's variance by the factor 1 − weight² · variance · this. */
  readonly spread: number;
}

/** A team as one player: the sum of weighted means, and of weighted variances. */
export interface TeamTotal {
  readonly mu: number;
  readonly variance: number;
}

/** Sums up a team. `tauSquared` is the variance that skill gains between two matches. */
export function totalOf(
  team: readonly SkillBelief[],
  weights: readonly number[] | undefined,
  tauSquared: number,
): TeamTotal {
  let mu = 0;
  let variance = 0;
  for (let i = 0; i < team.length; i++) {
    const player = team[i] as SkillBelief;
    const weight = weights?.[i] ?? 1;
    mu += weight * player.mu;
    variance += weight * weight * (player.sigma * player.sigma + tauSquared);
  }
  return { mu, variance };
}

/** Applies a team's shift to each member. @param floor the least factor that a variance may shrink by */
export function shiftTeam(
  team: readonly SkillBelief[],
  weights: readonly number[] | undefined,
  tauSquared: number,
  shift: TeamShift,
  floor: number,
  sigmaFloor: number,
): SkillBelief[] {
  return teamAfter(team, weights, (player, weight) => {
    const variance = player.sigma * player.sigma + tauSquared;
    const kept = Math.max(1 - weight * weight * variance * shift.spread, floor);
    return {
      mu: player.mu + weight * variance * shift.mean,
      sigma: Math.max(sigmaFloor, Math.sqrt(variance * kept)),
    };
  });
}
