/** What is kept of a player's games: sums in which the older ones count less and less. */
export interface LogWeightState {
  /** Sum of scores, each 0 to 1, discounted. */
  readonly total: number;
  /** Sum of what each of them counts. */
  readonly mass: number;
  readonly games: number;
}

/** How scores become a weight. */
export interface LogWeighing {
  /** What a game still counts after the next one, 0 to 0.999. */
  readonly discount: number;
  /** Games' worth of a middling score that everyone begins with, above 0. */
  readonly prior: number;
}

/** Games that a weight is worked out from when it starts from nothing. */
export const logsKept = 30;

export const noLogs: LogWeightState = { total: 0, mass: 0, games: 0 };

/** One more game. @param share of the game played, above 0, at most 1: so much it adds, and so much the older ones fade */
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

/** What all games together can count at most: 1 / (1 − discount). */
export function fullMass(discount: number): number {
  return 1 / (1 - discount);
}

/**
 * The weight, 0 to 100; 50 of no games. In the long run it is 100 times the mean score; before that it is held nearer to 50, the
 * more so the fewer games there are: 50 + 100 · (total − mass/2) / (prior + mass) · (prior + full) / full.
 */
export function weightOf({ total, mass }: LogWeightState, { discount, prior }: LogWeighing): number {
  const full = fullMass(discount);
  return 50 + ((100 * (total - mass / 2)) / (prior + mass)) * ((prior + full) / full);
}

/**
 * The weight that the last 30 of these scores give from nothing. It differs from one that was carried on from game to game by
 * `logTolerance` at most.
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
 * How far a weight from nothing but the last games can be off one that was carried on, 0 to 100. Older games have at most
 * d^n / (1 − d) of the mass then, so with d the discount, n the games and m the prior it is
 * 100 · d^n · (1 + m·(1 − d)) / (m·(1 − d) + 1 − d^n): 2.19 for 30 games with a discount of 0.88 and a prior of 3.
 */
export function logTolerance({ discount, prior }: LogWeighing, games: number = logsKept): number {
  const left = discount ** games;
  const held = prior * (1 - discount);
  return Math.min(100, (100 * left * (1 + held)) / (held + 1 - left));
}

/**
 * Weights of any origin and unit, brought to 0–100: their mean becomes 50, so that the default of a stranger keeps its meaning,
 * and whichever is furthest from it becomes 0 or 100. All 50 when they are equal.
 *
 * @param raw finite
 */
export function normalised(raw: readonly number[]): number[] {
  const size = raw.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (size === 0) return raw.map(() => 50);
  const scaled = raw.map((value) => value / size);
  const mean = scaled.reduce((sum, value) => sum + value, 0) / raw.length;
  const furthest = scaled.reduce((most, value) => Math.max(most, Math.abs(value - mean)), 0);
  // Equal values do not come out exactly equal to their mean.
  if (furthest < 1e-12) return raw.map(() => 50);
  return scaled.map((value) => Math.min(100, Math.max(0, 50 + (50 * (value - mean)) / furthest)));
}

/** The mean of some weights, as the bots of a server have one; 50 of none. */
export function meanWeight(weights: readonly number[]): number {
  return weights.length === 0 ? 50 : weights.reduce((sum, weight) => sum + weight / weights.length, 0);
}
