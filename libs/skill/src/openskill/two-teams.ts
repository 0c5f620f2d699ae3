import type { TeamShift } from '../gaussian-team.js';
import { truncatedAbove, truncatedWithin, type Truncation } from '../maths/truncated.js';
import type { TeamPerformance } from './performance.js';

/** Outcome for the first of two teams: 1 won, ½ drawn, 0 lost. */
export type TwoTeamUpdate = (
  first: TeamPerformance,
  second: TeamPerformance,
  outcome: number,
) => readonly [TeamShift, TeamShift];

/**
 * Plackett–Luce and Bradley–Terry: for two teams they are equal, as are full and partial pairing.
 *
 * @see Weng and Lin (2011), algorithms 1 and 4, with γ = σ/c
 */
export const logisticUpdate: TwoTeamUpdate = (first, second, outcome) => {
  const c = Math.sqrt(first.variance + second.variance + first.noise + second.noise);
  const p = 1 / (1 + Math.exp((second.mu - first.mu) / c));
  return shiftsOf(first, second, (outcome - p) / c, (p * (1 - p)) / c ** 3);
};

/**
 * Thurstone–Mosteller. Far out in the tails the package loses its figures in cancellation (near a gap of 8 c an upset
 * halves an uncertainty, or raises it); these stay accurate there, and equal the package's everywhere else.
 *
 * @param widen 1 for full pairing, 2 for partial: the package doubles c there
 * @param margin draw margin, in the unit of the means
 * @see Weng and Lin (2011), algorithm 3, with γ = σ/c
 */
export function normalUpdate(margin: number, widen: number): TwoTeamUpdate {
  return (first, second, outcome) => {
    const c = widen * Math.sqrt(first.variance + second.variance + first.noise + second.noise);
    const t = margin / c;
    const gap = (first.mu - second.mu) / c;
    const [v, w] =
      outcome === 0.5
        ? truncatedWithin(gap, t)
        : outcome === 1
          ? truncatedAbove(gap - t)
          : negated(truncatedAbove(-gap - t));
    return shiftsOf(first, second, v / c, w / c ** 3);
  };
}

function shiftsOf(
  first: TeamPerformance,
  second: TeamPerformance,
  mean: number,
  spread: number,
): ReturnType<TwoTeamUpdate> {
  return [
    { mean, spread: spread * Math.sqrt(first.variance) },
    { mean: -mean, spread: spread * Math.sqrt(second.variance) },
  ];
}

function negated([v, w]: Truncation): Truncation {
  return [-v, w];
}
