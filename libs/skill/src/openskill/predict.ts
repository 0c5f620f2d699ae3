import type { SkillBelief } from '@muster/domain';
import { logisticToNormal, sigmoid, softmax } from '../maths/logistic.js';
import type { Contest } from '../model.js';
import { performanceOf, scaleOf, withOdds, type Field, type PerformanceSettings } from './performance.js';

/** The chance of each team to come first. */
export function chancesOf(
  { teams, weights, odds }: Contest<SkillBelief>,
  settings: PerformanceSettings,
  field: Field,
): number[] {
  const performances = withOdds(
    teams.map((team, t) => performanceOf(team, weights?.[t], 0, settings)),
    odds,
  );
  const c = scaleOf(performances, field);
  const [first, second] = performances;
  // The package's own figure for n teams never exceeds 2/n; the model itself gives exp(mu/c) over their sum.
  if (!first || !second || performances.length > 2) return softmax(performances.map(({ mu }) => mu / c));
  const chance = sigmoid((first.mu - second.mu) / (logisticToNormal * c));
  return [chance, 1 - chance];
}
