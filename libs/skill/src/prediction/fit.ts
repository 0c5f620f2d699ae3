import { own, type Calibration, type Learned } from '@muster/domain';
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { softmax } from '../maths/logistic.js';
import { logOf } from './calibration.js';
import type { Features } from './features.js';

/** A predicted match and its result. */
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
  // A place adds a little to the side played there; each has few matches, so its prior is the narrowest.
  offsetSd: { side: 1, place: 0.3, size: 1, party: 0.3 },
  scaleSd: 0.5,
};

const rounds = 50;

/**
 * Fits scale, offsets and draw rate to matches by penalised maximum likelihood: a conditional logit over the teams of each
 * match, whose utilities are scale · ln(model's chance) + Σ offset · feature, with normal priors (scale around 1, offsets
 * around 0: that is the shrinkage). With many teams the whole ranking counts. Newton's method; the problem is convex. Ties
 * count in equal parts. The uncertainties are those of the normal approximation at the maximum.
 *
 * @see McFadden (1974), Conditional logit analysis of qualitative choice behaviour; Beggs, Cardell and Hausman (1981) for
 *   rankings
 */
export function fitCalibration(samples: readonly Sample[], options: FitOptions = fitDefaults): Calibration {
  const names = [...new Set(samples.flatMap(({ features }) => features.flatMap(Object.keys)))].toSorted();
  const index = new Map(names.map((name, i) => [name, i + 1]));
  const size = names.length + 1;
  const precision = [
    options.scaleSd ** -2,
    ...names.map((name) => (own(options.offsetSd, kindOf(name)) ?? 0.3) ** -2),
  ];
  const choices = samples.flatMap((sample) => choicesOf(sample, index));
  let weights = [1, ...names.map(() => 0)];
  let curvature = Matrix.eye(size, size);
  for (let round = 0; round < rounds; round++) {
    const { gradient, hessian } = slopes(choices, weights, precision);
    curvature = hessian;
    const step = new CholeskyDecomposition(hessian).solve(Matrix.columnVector(gradient)).to1DArray();
    // The likelihood is flat far out, where a whole step may overshoot.
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

/** The kind of a feature's prior. */
function kindOf(name: string): string {
  if (name.includes('@')) return 'place';
  return name.startsWith('side:') ? 'side' : name;
}

/** A linear function of the weights: the weights in it, and their coefficients. */
interface Utility {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/** One choice: which of some teams came before the others, with shares for ties. */
interface Choice {
  readonly teams: readonly Utility[];
  readonly share: readonly number[];
}

/** A ranking of many teams as a sequence of choices: the best of all, then the best of the rest, and so on. */
function choicesOf({ raw, features, ranks }: Sample, index: ReadonlyMap<string, number>): Choice[] {
  const teams = raw.map((chance, t) => {
    const entries = Object.entries(features[t] ?? {});
    return {
      rank: ranks[t] ?? Infinity,
      at: [0, ...entries.map(([name]) => index.get(name) ?? 0)],
      values: [logOf(chance), ...entries.map(([, value]) => value)],
    };
  });
  const [first, second] = teams;
  if (first && second && teams.length === 2) {
    // Only the difference counts: for two teams one is enough, against another of utility 0.
    const share = first.rank < second.rank ? 1 : first.rank > second.rank ? 0 : 0.5;
    return [{ teams: [difference(first, second), { at: [], values: [] }], share: [share, 1 - share] }];
  }
  const places = [...new Set(ranks)].toSorted((a, b) => a - b);
  // When all tied, that is one choice in equal parts; otherwise teams tied at the end make no choice.
  const decided = places.length === 1 ? places : places.slice(0, -1);
  return decided.map((place) => {
    const left = teams.filter(({ rank }) => rank >= place);
    const best = left.filter(({ rank }) => rank === place).length;
    return { teams: left, share: left.map(({ rank }) => (rank === place ? 1 / best : 0)) };
  });
}

function difference(first: Utility, second: Utility): Utility {
  const values = new Map<number, number>();
  first.at.forEach((i, j) => values.set(i, (values.get(i) ?? 0) + (first.values[j] ?? 0)));
  second.at.forEach((i, j) => values.set(i, (values.get(i) ?? 0) - (second.values[j] ?? 0)));
  const left = [...values].filter(([, value]) => value !== 0);
  return { at: left.map(([i]) => i), values: left.map(([, value]) => value) };
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
  const size = weights.length;
  const gradient = weights.map((weight, i) => -(precision[i] ?? 0) * (weight - (i === 0 ? 1 : 0)));
  // Row by row, only from the diagonal on: this loop takes most of the time.
  const sums = new Float64Array(size * size);
  const mean = new Float64Array(size);
  for (const { teams, share } of choices) {
    const chances = softmax(teams.map((team) => utility(team, weights)));
    const met: number[] = [];
    for (let t = 0; t < teams.length; t++) {
      const { at, values } = teams[t] ?? { at: [], values: [] };
      const chance = chances[t] ?? 0;
      const surprise = (share[t] ?? 0) - chance;
      for (let j = 0; j < at.length; j++) {
        const i = at[j] ?? 0;
        const value = values[j] ?? 0;
        gradient[i] = (gradient[i] ?? 0) + surprise * value;
        mean[i] = (mean[i] ?? 0) + chance * value;
        met.push(i);
        addOuter(sums, size, i, chance * value, at, values);
      }
    }
    const once = met.length > 1 ? [...new Set(met)] : met;
    const means = once.map((i) => mean[i] ?? 0);
    for (let j = 0; j < once.length; j++) addOuter(sums, size, once[j] ?? 0, -(means[j] ?? 0), once, means);
    for (const i of once) mean[i] = 0;
  }
  const hessian = Matrix.diag([...precision]);
  for (let i = 0; i < size; i++) {
    for (let k = i; k < size; k++) {
      const value = hessian.get(i, k) + (sums[i * size + k] ?? 0);
      hessian.set(i, k, value);
      hessian.set(k, i, value);
    }
  }
  return { gradient, hessian };
}

function utility({ at, values }: Utility, weights: readonly number[]): number {
  let sum = 0;
  for (let j = 0; j < at.length; j++) sum += (weights[at[j] ?? 0] ?? 0) * (values[j] ?? 0);
  return sum;
}

/** Adds factor · values to a row of the matrix, from the diagonal on. */
function addOuter(
  sums: Float64Array,
  size: number,
  row: number,
  factor: number,
  at: readonly number[],
  values: readonly number[],
): void {
  for (let l = 0; l < at.length; l++) {
    const k = at[l] ?? 0;
    if (k < row) continue;
    const cell = row * size + k;
    sums[cell] = (sums[cell] ?? 0) + factor * (values[l] ?? 0);
  }
}
