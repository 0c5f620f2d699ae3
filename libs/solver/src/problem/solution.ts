import { chanceGap, spreadOf } from './chance.js';
import type { Certificate, SplitProblem, SplitSolution } from './problem.js';
import type { Quantised } from './quantise.js';
import { placesOf } from './ratio.js';

/** Converts teams of players' indices to an answer. */
export function solutionOf(
  { players, bots }: SplitProblem,
  weights: Quantised,
  shift: number,
  teams: readonly (readonly number[])[],
): SplitSolution {
  const ordered = teams.map((team) => team.toSorted((a, b) => a - b));
  const places = bots
    ? placesOf(
        bots.fillTo,
        ordered.map((team) => team.length),
      )
    : 0;
  const numbers = ordered.map((team) => (bots ? places - team.length : 0));
  const sums = ordered.map((team, t) => sumOf(team, players, weights, numbers[t], bots?.weight));
  return {
    teams: ordered.map((team) => team.map((i) => players[i]!.id)),
    bench: [],
    bots: numbers,
    sums,
    difference: differenceOf(ordered, numbers, sums, weights),
    ratio: ratioOf(
      sums,
      ordered.map((team, t) => team.length + numbers[t]!),
      weights.weight(shift),
    ),
  };
}

/** Exact where no weight was rounded, otherwise of the weights as given. */
export function sumOf(
  team: readonly number[],
  players: readonly { readonly weight: number }[],
  { values, quantum, weight }: Quantised,
  bots = 0,
  bot = 0,
): number {
  if (quantum > 0) return team.reduce((sum, i) => sum + players[i]!.weight, 0) + bots * bot;
  return weight(team.reduce((sum, i) => sum + values[i]!, 0) + bots * (values[players.length] ?? 0));
}

function differenceOf(
  teams: readonly (readonly number[])[],
  bots: readonly number[],
  sums: readonly number[],
  { values, quantum, weight }: Quantised,
): number {
  if (quantum > 0) return Math.max(...sums) - Math.min(...sums);
  const bot = bots.some((number) => number > 0) ? values[values.length - 1]! : 0;
  const whole = teams.map((team, t) => team.reduce((sum, i) => sum + values[i]!, 0) + bots[t]! * bot);
  return weight(Math.max(...whole) - Math.min(...whole));
}

/** Smallest sum over the largest, after adding `shift` to every weight. */
function ratioOf(sums: readonly number[], places: readonly number[], shift: number): number {
  const raised = sums.map((sum, t) => sum + shift * places[t]!);
  return Math.max(0, Math.min(...raised)) / Math.max(...raised);
}

/** The certificate of a value; `stopped` says why it is not proven. */
export function certificateOf(
  isProven: boolean,
  { value, lowerBound, reason, quantum, stopped }: Omit<Certificate, 'status' | 'gap'>,
): Certificate {
  const status = isProven ? 'proven' : 'bounded';
  const certificate = { status, value, lowerBound, gap: value - lowerBound, reason, quantum } as const;
  return isProven || !stopped ? certificate : { ...certificate, stopped };
}

/** How values in quanta are reported. */
export interface Measure {
  readonly report: (value: number) => number;
  /** The possible distance between the value of the rounded weights and that of the given ones. */
  readonly rounding: number;
}

/** @param total of all sums that ratios are taken of, bots and shift included */
export function measureOf(problem: SplitProblem, weights: Quantised, total: number): Measure {
  const { players, objective, bots } = problem;
  // Each weight is off by at most half a quantum.
  const error = (players.length * weights.quantum) / 2;
  if (bots) {
    // Two teams are compared by the difference over the sum of all, more by 1 − ratio itself.
    const report = (value: number): number =>
      problem.teamSizes.length === 2 ? (2 * value) / (1 + value) : value;
    return { report, rounding: (4 * error) / total };
  }
  if (objective?.kind === 'win' && problem.teamSizes.length === 2) {
    const spread = spreadOf(objective, players);
    return {
      report: (value) => chanceGap(weights.weight(value), spread),
      rounding: error / spread,
    };
  }
  return { report: (value) => weights.weight(value), rounding: error };
}

/** The total of a split's sums, after adding `shift` quanta to every weight. */
export function totalOf({ sums, teams, bots }: SplitSolution, { weight }: Quantised, shift: number): number {
  return sums.reduce((total, sum, t) => total + sum + weight(shift) * (teams[t]!.length + bots[t]!), 0);
}
