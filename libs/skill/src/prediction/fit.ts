import type { Calibration, Learned } from '@muster/domain';
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { softmax } from '../maths/logistic.js';
import { logOf } from './calibration.js';
import type { Features } from './features.js';

/** A match that was predicted and then played. */
export interface Sample {
  /** The model's own chances, before calibration. */
  readonly raw: readonly number[];
  readonly features: readonly Features[];
  readonly ranks: readonly number[];
}

export interface FitOptions {
  /** Standard deviation of the prior of an offset by the kind of its feature, in log-odds; `other` for the rest. */
  readonly offsetSd: Readonly<Record<string, number>>;
  /** Standard deviation of the prior of the scale, whose mean is 1. */
  readonly scaleSd: number;
}

export const fitDefaults: FitOptions = {
  // A place says a little more than the side played there; few matches are played in each, so it is held the tightest.
  offsetSd: { side: 1, place: 0.3, size: 1, party: 0.3 },
  scaleSd: 0.5,
};

const rounds = 50;

/**
 * Fits scale, offsets and draw rate to matches by penalised maximum likelihood: a conditional logit over the teams of each
 * match, whose utilities are scale · ln(model's chance) + Σ offset · feature, with normal priors (scale around 1, offsets
 * around 0: that is the shrinkage). Of many teams the whole ranking counts. Newton's method; the problem is convex. Ties count
 * in equal parts. The uncertainties are those of the normal approximation at the maximum.
 *
 * @see McFadden (1974), Conditional logit analysis of qualitative choice behaviour; Beggs, Cardell and Hausman (1981) for rankings
 */
export function fitCalibration(
  samples: readonly Sample[],
  options: FitOptions = fitDefaults,
): Calibration {
  const names = [
    ...new Set(samples.flatMap(({ features }) => features.flatMap(Object.keys))),
  ].toSorted();
  const index = new Map(names.map((name, i) => [name, i + 1]));
  const size = names.length + 1;
  const precision = [
    options.scaleSd ** -2,
    ...names.map((name) => (options.offsetSd[kindOf(name)] ?? 0.3) ** -2),
  ];
  const choices = samples.flatMap((sample) => choicesOf(sample, index));
  let weights = [1, ...names.map(() => 0)];
  let curvature = Matrix.eye(size, size);
  for (let round = 0; round < rounds; round++) {
    const { gradient, hessian } = slopes(choices, weights, precision);
    curvature = hessian;
    const step = new CholeskyDecomposition(hessian).solve(Matrix.columnVector(gradient)).to1DArray();
    // The likelihood is flat far out, where a whole step may leap too far.
    const longest = Math.max(...step.map(Math.abs));
    const part = longest > 1 ? 1 / longest : 1;
    weights = weights.map((weight, i) => weight + part * (step[i] ?? 0));
    if (longest < 1e-9) break;
  }
  const variances = new CholeskyDecomposition(curvature).solve(Matrix.eye(size, size)).diagonal();
  const learned = (i: number): Learned => ({
    mean: weights[i] ?? 0,
    sd: Math.sqrt(Math.max(0, variances[i] ?? 0)),
  });
  const draws = samples.filter(({ ranks }) => winners(ranks) > 1).length;
  return {
    scale: learned(0),
    offsets: Object.fromEntries(names.map((name, i) => [name, learned(i + 1)])),
    drawRate: samples.length === 0 ? 0 : draws / (samples.length + 10),
    matches: samples.length,
  };
}

/** What kind of prior a feature has. */
function kindOf(name: string): string {
  if (name.includes('@')) return 'place';
  return name.startsWith('side:') ? 'side' : name;
}

/** One choice: which of some teams came before the others. */
interface Choice {
  /** Of each team: which weights it meets, and with what value. */
  readonly teams: readonly { readonly at: readonly number[]; readonly values: readonly number[] }[];
  readonly share: readonly number[];
}

/** A ranking of many teams is a row of choices: the best of all, then the best of the rest, and so on. */
function choicesOf({ raw, features, ranks }: Sample, index: ReadonlyMap<string, number>): Choice[] {
  const teams = raw.map((chance, t) => {
    const entries = Object.entries(features[t] ?? {});
    return {
      rank: ranks[t] ?? Infinity,
      at: [0, ...entries.map(([name]) => index.get(name) ?? 0)],
      values: [logOf(chance), ...entries.map(([, value]) => value)],
    };
  });
  const places = [...new Set(ranks)].toSorted((a, b) => a - b);
  // Two teams that drew are one choice of two halves; of many teams, those tied at the end chose nothing.
  const decided = places.length === 1 ? places : places.slice(0, -1);
  return decided.map((place) => {
    const left = teams.filter(({ rank }) => rank >= place);
    const best = left.filter(({ rank }) => rank === place).length;
    return { teams: left, share: left.map(({ rank }) => (rank === place ? 1 / best : 0)) };
  });
}

function winners(ranks: readonly number[]): number {
  const best = Math.min(...ranks);
  return ranks.filter((rank) => rank === best).length;
}

/** Gradient of the log posterior, and its negative Hessian. */
function slopes(
  choices: readonly Choice[],
  weights: readonly number[],
  precision: readonly number[],
): { gradient: number[]; hessian: Matrix } {
  const gradient = weights.map((weight, i) => -(precision[i] ?? 0) * (weight - (i === 0 ? 1 : 0)));
  const hessian = Matrix.diag([...precision]);
  const expected = new Map<number, number>();
  for (const { teams, share } of choices) {
    const chances = softmax(
      teams.map(({ at, values }) => at.reduce((sum, i, j) => sum + (weights[i] ?? 0) * (values[j] ?? 0), 0)),
    );
    expected.clear();
    teams.forEach(({ at, values }, t) => {
      const chance = chances[t] ?? 0;
      const surprise = (share[t] ?? 0) - chance;
      at.forEach((i, j) => {
        const value = values[j] ?? 0;
        gradient[i] = (gradient[i] ?? 0) + surprise * value;
        expected.set(i, (expected.get(i) ?? 0) + chance * value);
        at.forEach((k, l) => add(hessian, i, k, chance * value * (values[l] ?? 0)));
      });
    });
    for (const [i, a] of expected) for (const [k, b] of expected) add(hessian, i, k, -a * b);
  }
  // Sums in another order differ in the last bit, and the solver wants it even.
  for (let i = 0; i < weights.length; i++) for (let k = 0; k < i; k++) hessian.set(i, k, hessian.get(k, i));
  return { gradient, hessian };
}

function add(matrix: Matrix, row: number, column: number, value: number): void {
  matrix.set(row, column, matrix.get(row, column) + value);
}
