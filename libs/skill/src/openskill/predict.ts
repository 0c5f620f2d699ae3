import type { SkillBelief } from '@muster/domain';
import { logisticToNormal, sigmoid, softmax } from '../maths/logistic.js';
import type { Contest } from '../model.js';
import {
  performanceOf,
  scaleOf,
  withOdds,
  type Field,
  type PerformanceSettings,
  type TeamPerformance,
} from './performance.js';

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
  return first && second && performances.length === 2
    ? chancesOfTwo(first, second, c)
    : // The package's own figure for n teams never exceeds 2/n; the model itself gives exp(mu/c) over their sum.
      softmax(performances.map(({ mu }) => mu / c));
}

function chancesOfTwo(first: TeamPerformance, second: TeamPerformance, c: number): number[] {
  const chance = sigmoid((first.mu - second.mu) / (logisticToNormal * c));
  return [chance, 1 - chance];
}
