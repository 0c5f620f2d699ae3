/** Least and most points that one round can move. */
export const kMin = 2;
export const kMax = 72;

/** The sums over a player's last rounds from which convergence is computed. */
export interface RoundSums {
  /** Rounds counted, n. */
  readonly length: number;
  /** Sum of the first ⌊n/2⌋ ratings, the oldest; for an odd number, the middle one is in neither half. */
  readonly older: number;
  /** Sum of the last ⌊n/2⌋ ratings. */
  readonly newer: number;
  /** Sum of all ratings. */
  readonly total: number;
  /** Sum of their squares. */
  readonly squares: number;
  /** Sum of outcome − expected, in units of 2^-30. */
  readonly surplus: number;
}

/** Outcomes less expectations are stored as whole multiples of this, so that their sums are exact. */
export const surplusUnit = 2 ** -30;

/** Θ = 400 · ⌊median{1 … k}⌋, for a pool whose largest teams have `largestTeam` players. */
export function logisticScale(largestTeam: number): number {
  return 400 * Math.floor((Math.max(1, Math.floor(largestTeam)) + 1) / 2);
}

/** F3: 0 when the last rounds agree with the rating, 1 when they do not, or when there are none. */
export function convergence({ length: n, older, newer, total, squares, surplus }: RoundSums): number {
  if (n === 0) return 1;
  const half = n >> 1;
  const velocity = half === 0 ? 0 : Math.abs(newer - older) / half / kMax;
  const excess = (Math.abs(surplus) * surplusUnit) / n / 0.1;
  const mean = total / n;
  const volatility = n === 1 ? 0 : Math.sqrt(Math.max(0, squares / n - mean * mean)) / kMax;
  return Math.min(1, 0.25 * velocity + 0.25 * excess + 0.5 * volatility);
}

/** F4: the preference for ratings near the start, 0 to 1. */
export function compression(rating: number, start: number, spread: number): number {
  const off = (rating - start) / spread;
  return Math.exp(-0.5 * off * off);
}

/** F5: K, from 2 to 72. */
export function gain(converged: number, compressed: number): number {
  return kMin + (kMax - kMin) * converged * compressed;
}

/** To the nearest whole number; of two equally near, the even one. */
export function roundHalfEven(x: number): number {
  const below = Math.floor(x);
  const over = x - below;
  if (over < 0.5) return below;
  if (over > 0.5) return below + 1;
  return below % 2 === 0 ? below : below + 1;
}
