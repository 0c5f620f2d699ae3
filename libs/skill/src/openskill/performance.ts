import type { SkillBelief } from '@muster/domain';
import { totalOf, type TeamTotal } from '../gaussian-team.js';
import type { Contest } from '../model.js';
import { logisticToNormal } from '../maths/logistic.js';

/** A team as one player: its skill, and how much its performance varies from match to match. */
export interface TeamPerformance extends TeamTotal {
  /** Variance of the performance around the skill. */
  readonly noise: number;
}

/** Whose performance has the standard deviation beta: the team's as a whole, or each player's. */
export type Noise = 'team' | 'player';

/** What a performance is made of. */
export interface PerformanceSettings {
  readonly beta: number;
  readonly noise: Noise;
}

/** A team's performance. `tauSquared` is the variance that skill gains between two matches. */
export function performanceOf(
  team: readonly SkillBelief[],
  weights: readonly number[] | undefined,
  tauSquared: number,
  { beta, noise }: PerformanceSettings,
): TeamPerformance {
  const { mu, variance } = totalOf(team, weights, tauSquared);
  // A team is at least one player: without any noise an absent one would have no scale.
  const players = noise === 'team' ? 1 : Math.max(1, squaresOf(team.length, weights));
  return { mu, variance, noise: beta * beta * players };
}

/** The sum of the squares of a team's weights. */
function squaresOf(size: number, weights: readonly number[] | undefined): number {
  if (!weights) return size;
  let squares = 0;
  for (let i = 0; i < size; i++) {
    const weight = weights[i] ?? 1;
    squares += weight * weight;
  }
  return squares;
}

/** What the scale of differences in a match of several teams is made of: two average teams, or all of them. */
export type Field = 'pair' | 'sum';

/** The scale c of differences between teams: the standard deviation of what it is made of. Of two teams both are equal. */
export function scaleOf(teams: readonly TeamPerformance[], field: Field): number {
  let variance = 0;
  for (const team of teams) variance += team.variance + team.noise;
  return Math.sqrt(field === 'pair' ? (2 * variance) / teams.length : variance);
}

/** The teams with the value of their odds in the means: the same in prediction and rating. */
export function withOdds(
  teams: readonly TeamPerformance[],
  odds: Contest['odds'],
): readonly TeamPerformance[] {
  if (!odds) return teams;
  // Of two teams this is the c of their meeting; of more, that of two average ones.
  const worth = logisticToNormal * scaleOf(teams, 'pair');
  return teams.map(({ mu, variance, noise }, t) => ({ mu: mu + (odds[t] ?? 0) * worth, variance, noise }));
}
