import type { TeamShift, TeamTotal } from '../gaussian-team.js';
import { cameOutAbove, cameOutWithin, type Truncation } from '../maths/truncated.js';

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
