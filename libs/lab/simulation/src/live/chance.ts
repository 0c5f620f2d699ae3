/** σ(x) ≈ Φ(x · this): equal slopes at 0. */
const logisticToNormal = Math.sqrt(2 * Math.PI) / 4;

/**
 * The first team's chance to win from now on: logistic in the difference of the sums of true skill, over the standard
 * deviation of the difference of performances, 1 / (1 + exp(−Δ / (√(2π)/4 · √(n·β²)))). It is the prediction of the pool's
 * default model (`openskill-plackett-luce`) where skills are known and each player has a separate performance; so a team
 * that is a player short is weaker by that player's skill.
 *
 * @param ahead first team's sum less the second's
 * @param players on both teams, n
 * @param performance standard deviation of one performance, β
 * @returns 0 to 1; ½ when nobody plays
 */
export function chanceOfFirst(ahead: number, players: number, performance: number): number {
  if (players === 0) return 0.5;
  return 1 / (1 + Math.exp(-ahead / (logisticToNormal * performance * Math.sqrt(players))));
}
