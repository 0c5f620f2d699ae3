/** The totals of a player's games, in which older ones are discounted. */
export interface LogWeightState {
  /** Sum of scores, each 0 to 1, discounted. */
  readonly total: number;
  /** Sum of their discounted weights. */
  readonly mass: number;
  readonly games: number;
}

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
 *
 * @param weighing the discount of a game after the next one, and the mass of the prior, in games, above 0
 */
export function weightOf(
  { total, mass }: LogWeightState,
  { discount, prior }: { readonly discount: number; readonly prior: number },
): number {
  const full = fullMass(discount);
  return 50 + ((100 * (total - mass / 2)) / (prior + mass)) * ((prior + full) / full);
}

/** The mean of some weights, such as a server's bots; 50 without any. */
export function meanWeight(weights: readonly number[]): number {
  return weights.length === 0 ? 50 : weights.reduce((sum, weight) => sum + weight / weights.length, 0);
}
