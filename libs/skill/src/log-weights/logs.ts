/** The totals of a player's games, in which older ones are discounted. */
export interface LogWeightState {
  /** Sum of scores, each 0 to 1, discounted. */
  readonly total: number;
  /** Sum of their discounted weights. */
  readonly mass: number;
  readonly games: number;
}

/** How scores become a weight. */
export interface LogWeighing {
  /** Discount of a game after the next one, 0 to 0.999. */
  readonly discount: number;
  /** Mass of the prior with a mean score, in games, above 0. */
  readonly prior: number;
}

/** Number of games from which a weight is computed without a stored state. */
export const logsKept = 30;

export const noLogs: LogWeightState = { total: 0, mass: 0, games: 0 };

/**
 * Adds one game. @param share of the game played, above 0, at most 1: it scales both the game and the discount of older
 * ones
 */
export function withGame(
  state: LogWeightState,
  score: number,
  share: number,
  discount: number,
): LogWeightState {
  const kept = 1 - share * (1 - discount);
  return {
    total: kept * state.total + share * score,
    mass: kept * state.mass + share,
    games: state.games + 1,
  };
}

/** The limit of the total mass of all games: 1 / (1 − discount). */
export function fullMass(discount: number): number {
  return 1 / (1 - discount);
}

/**
 * The weight, 0 to 100; 50 without games. It converges to 100 times the mean score, and is shrunk towards 50 for few games:
 * 50 + 100 · (total − mass/2) / (prior + mass) · (prior + full) / full.
 */
export function weightOf({ total, mass }: LogWeightState, { discount, prior }: LogWeighing): number {
  const full = fullMass(discount);
  return 50 + ((100 * (total - mass / 2)) / (prior + mass)) * ((prior + full) / full);
}

/**
 * The weight from the last 30 of these scores alone. It differs from the incremental one by at most
 * `logTolerance`.
 *
 * @param scores 0 to 1, the oldest first; of whole games
 */
export function weightsFromLogs(scores: readonly number[], how: LogWeighing): number {
  const state = scores
    .slice(-logsKept)
    .reduce((sums, score) => withGame(sums, score, 1, how.discount), noLogs);
  return weightOf(state, how);
}

/**
 * Upper bound of the difference between a weight from the last games alone and an incremental one, 0 to 100. Older games
 * have at most d^n / (1 − d) of the mass then, so with d the discount, n the games and m the prior it is 100 · d^n · (1 +
 * m·(1 − d)) / (m·(1 − d) + 1 − d^n): 2.19 for 30 games with a discount of 0.88 and a prior of 3.
 */
export function logTolerance({ discount, prior }: LogWeighing, games: number = logsKept): number {
  const left = discount ** games;
  const held = prior * (1 - discount);
  return Math.min(100, (100 * left * (1 + held)) / (held + 1 - left));
}

/**
 * Scales weights of any origin and unit to 0–100: their mean becomes 50, which matches a newcomer's default, and the one
 * furthest from it becomes 0 or 100. All 50 when they are equal.
 *
 * @param raw finite
 */
export function normalised(raw: readonly number[]): number[] {
  const size = raw.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (size === 0) return raw.map(() => 50);
  const scaled = raw.map((value) => value / size);
  const mean = scaled.reduce((sum, value) => sum + value, 0) / raw.length;
  const furthest = scaled.reduce((most, value) => Math.max(most, Math.abs(value - mean)), 0);
  // The mean of equal values may differ from them by rounding.
  if (furthest < 1e-12) return raw.map(() => 50);
  return scaled.map((value) => Math.min(100, Math.max(0, 50 + (50 * (value - mean)) / furthest)));
}

/** The mean of some weights, such as a server's bots; 50 without any. */
export function meanWeight(weights: readonly number[]): number {
  return weights.length === 0 ? 50 : weights.reduce((sum, weight) => sum + weight / weights.length, 0);
}
