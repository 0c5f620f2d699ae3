import type { SkillBelief } from '@muster/domain';
import { totalOf, type TeamTotal } from '../gaussian-team.js';
import { logisticToNormal, sigmoid } from '../maths/logistic.js';
import type { Contest } from '../model.js';
import { handicapsOf } from './rate.js';

/** The chance of each team to come first. */
export function chancesOf(contest: Contest<SkillBelief>, beta: number): number[] {
  const { teams, weights } = contest;
  const totals = teams.map((team, t) => totalOf(team, weights?.[t], 0));
  const handicaps = handicapsOf(contest, beta, 0);
  const strengths = totals.map(({ mu }, t) => mu + (handicaps[t] ?? 0));
  return teams.length === 2 ? chancesOfTwo(totals, strengths, beta) : chancesOfMany(totals, strengths, beta);
}

function chancesOfTwo(
  totals: readonly TeamTotal[],
  [a = 0, b = 0]: readonly number[],
  beta: number,
): number[] {
  const spread = totals.reduce((sum, { variance }) => sum + variance, 2 * beta * beta);
  const first = sigmoid((a - b) / (logisticToNormal * Math.sqrt(spread)));
  return [first, 1 - first];
}

/** The package's own figure for n teams never exceeds 2/n; the model itself gives exp(mu/c) over their sum. */
function chancesOfMany(totals: readonly TeamTotal[], strengths: readonly number[], beta: number): number[] {
  const c = Math.sqrt(totals.reduce((sum, { variance }) => sum + variance + beta * beta, 0));
  const top = Math.max(...strengths);
  const chances = strengths.map((each) => Math.exp((each - top) / c));
  const total = chances.reduce((sum, each) => sum + each, 0);
  return chances.map((each) => each / total);
}
