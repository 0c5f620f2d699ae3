import type { SplitAnswer, SplitOptions, SplitProblem, SplitRefusal } from '../src/problem/problem.js';
import { split } from '../src/split.js';
import { varianceOf, worth, type Deal } from './partitions.js';
import { faultsOf, magnitudeOf, slackOf } from './sound.js';

/** The sound answer to a solvable problem; otherwise an error with what is wrong. */
export function solved(problem: SplitProblem, options: SplitOptions = {}): SplitAnswer {
  const answer = split(problem, options);
  if (answer.outcome !== 'split') throw new Error(`${answer.why}: ${answer.message}`);
  const faults = faultsOf(problem, answer, options);
  if (faults.length > 0) throw new Error(faults.join('; '));
  return answer;
}

/**
 * Where an answer contradicts the reference solution, as text: there is a split and it finds none, or the reverse; it is
 * not sound; its bound does not hold; or it is called proven and is not optimal.
 */
export function contradictions(
  problem: SplitProblem,
  answer: SplitAnswer | SplitRefusal,
  all: readonly Deal[],
  options: SplitOptions = {},
): string[] {
  const [first] = all;
  if (answer.outcome === 'refused') {
    if (first) return [`refused as ${answer.why}, though there is ${first.name}: ${answer.message}`];
    return answer.why === 'infeasible' && answer.message
      ? []
      : [`refused as ${answer.why}: ${answer.message}`];
  }
  if (!first) return ['answered, though there is no split'];
  const faults = faultsOf(problem, answer, options);
  const { value, lowerBound, quantum, status } = answer.certificate;
  const slack = slackOf(problem, quantum);
  if (value < first.value - slack) faults.push(`value ${value} is below the least, ${first.value}`);
  // A bound has to hold for the weights as given, so no quantum of tolerance is allowed here.
  if (lowerBound > first.value + slackOf(problem, 0)) {
    faults.push(`lower bound ${lowerBound} is above the least, ${first.value}`);
  }
  if (status === 'proven' && value > first.value + slack) {
    faults.push(`value ${value} is proven but above the least, ${first.value}`);
  }
  if (answer.ways !== null && answer.ways !== all.length) {
    faults.push(`${answer.ways} ways, not ${all.length}`);
  }
  return faults;
}

/** Where the answer to a small problem without limits is not proven to be optimal, with the reason as text. */
export function shortOfBest(
  problem: SplitProblem,
  answer: SplitAnswer | SplitRefusal,
  all: readonly Deal[],
  options: SplitOptions = {},
): string[] {
  const open = answer.outcome === 'split' && answer.certificate.status !== 'proven';
  return [...contradictions(problem, answer, all, options), ...(open ? ['not proven'] : [])];
}

/** Where the best few differ from the reference solution's, one by one, or from all there are. */
export function shortOfRanking(
  problem: SplitProblem,
  answer: SplitAnswer | SplitRefusal,
  all: readonly Deal[],
  best: number,
): string[] {
  const faults = shortOfBest(problem, answer, all, { best });
  if (answer.outcome !== 'split' || faults.length > 0) return faults;
  const slack = slackOf(problem, answer.certificate.quantum);
  const byId = new Map(problem.players.map((player) => [player.id, player]));
  if (!answer.ranked) faults.push('not ranked');
  if (answer.solutions.length !== Math.min(best, all.length)) {
    faults.push(`${answer.solutions.length} solutions of ${all.length}`);
  }
  answer.solutions.forEach((solution, i) => {
    const teams = solution.teams.map((team) => team.flatMap((id) => byId.get(id) ?? []));
    const value = worth(teams, problem);
    const wanted = all[i]?.value ?? NaN;
    if (!(Math.abs(value - wanted) <= 2 * slack))
      faults.push(`solution ${i} is worth ${value}, not ${wanted}`);
  });
  return faults;
}

/** Where, among equally even splits, the total variance of the sums is not least. */
export function shortOfLeastVariance(
  problem: SplitProblem,
  answer: SplitAnswer | SplitRefusal,
  all: readonly Deal[],
): string[] {
  if (answer.outcome !== 'split' || answer.certificate.quantum > 0) return [];
  const scale = magnitudeOf(problem.players);
  const least = all[0]?.value ?? NaN;
  const alike = all.filter(({ value }) => value <= least + 1e-12 * scale);
  const wanted = Math.min(...alike.map((deal) => deal.variance));
  const variance = varianceOf(answer.solutions[0]?.sums ?? []);
  return variance <= wanted + 1e-12 * scale * scale ? [] : [`variance ${variance}, not ${wanted}`];
}
