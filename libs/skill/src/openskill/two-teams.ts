import type { SkillBelief } from '@muster/domain';
import { cameOutAbove, cameOutWithin, type Truncation } from '../trueskill/truncated.js';

/** What a result does to a team as a whole, in units of its own spread. */
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

/** Outcome for the first of two teams: 1 won, ½ drawn, 0 lost. */
export type TwoTeamUpdate = (
  first: TeamTotal,
  second: TeamTotal,
  outcome: number,
) => readonly [TeamShift, TeamShift];

/**
 * Plackett–Luce and Bradley–Terry: of two teams they are the same, and full and partial pairing too.
 *
 * @param beta standard deviation of one performance
 * @see Weng and Lin (2011), algorithms 1 and 4, with γ = σ/c
 */
export function logisticUpdate(beta: number): TwoTeamUpdate {
  return (first, second, outcome) => {
    const c = Math.sqrt(first.variance + second.variance + 2 * beta * beta);
    const p = 1 / (1 + Math.exp((second.mu - first.mu) / c));
    const mean = (outcome - p) / c;
    const spread = (p * (1 - p)) / c ** 3;
    return [
      { mean, spread: spread * Math.sqrt(first.variance) },
      { mean: -mean, spread: spread * Math.sqrt(second.variance) },
    ];
  };
}

/**
 * Thurstone–Mosteller. Far out in the tails the package loses its figures in cancellation (near a gap of 8 c an upset halves
 * an uncertainty, or raises it); these hold there, and are equal to the package's everywhere else.
 *
 * @param widen 1 for full pairing, 2 for partial: the package doubles c there
 * @param margin draw margin, in the unit of the means
 * @see Weng and Lin (2011), algorithm 3, with γ = σ/c
 */
export function normalUpdate(beta: number, margin: number, widen: number): TwoTeamUpdate {
  return (first, second, outcome) => {
    const c = widen * Math.sqrt(first.variance + second.variance + 2 * beta * beta);
    const t = margin / c;
    const gap = (first.mu - second.mu) / c;
    const [v, w] =
      outcome === 0.5
        ? cameOutWithin(gap, t)
        : outcome === 1
          ? cameOutAbove(gap - t)
          : negated(cameOutAbove(-gap - t));
    const mean = v / c;
    const spread = w / c ** 3;
    return [
      { mean, spread: spread * Math.sqrt(first.variance) },
      { mean: -mean, spread: spread * Math.sqrt(second.variance) },
    ];
  };
}

function negated([v, w]: Truncation): Truncation {
  return [-v, w];
}

/** Adds up a team. `tauSquared` is the variance that skill gains between two matches. */
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

/** What a shift of the team makes of each member. @param floor the least factor that a variance may shrink by */
export function shiftTeam(
  team: readonly SkillBelief[],
  weights: readonly number[] | undefined,
  tauSquared: number,
  shift: TeamShift,
  floor: number,
  sigmaFloor: number,
): SkillBelief[] {
  const rated: SkillBelief[] = [];
  for (let i = 0; i < team.length; i++) {
    const player = team[i] as SkillBelief;
    const weight = weights?.[i] ?? 1;
    if (weight === 0) {
      rated.push(player);
      continue;
    }
    const variance = player.sigma * player.sigma + tauSquared;
    const kept = Math.max(1 - weight * weight * variance * shift.spread, floor);
    rated.push({
      mu: player.mu + weight * variance * shift.mean,
      sigma: Math.max(sigmaFloor, Math.sqrt(variance * kept)),
    });
  }
  return rated;
}
