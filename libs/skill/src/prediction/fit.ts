import { own, type Calibration, type Learned } from '@muster/domain';
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { outcomeBetween } from '../contest.js';
import { sigmoid } from '../maths/logistic.js';
import { logOf } from './calibration.js';
import { aspectsFeature, factorFeatures, shortHandedFeature, type Features } from './features.js';

/** A predicted match and its result. */
export interface Sample {
  /** The model's own chances, before calibration. */
  readonly raw: readonly number[];
  readonly features: readonly Features[];
  readonly ranks: readonly number[];
}

/** Standard deviations of the priors: of the scale, whose mean is 1, and of an offset by the kind of its feature, in log-odds. */
export const fitPriors = {
  // A place adds a little to the side played there; each has few matches, so its prior is the narrowest.
  offsetSd: { side: 1, place: 0.3, size: 1, party: 0.3, [aspectsFeature]: 0.5, [shortHandedFeature]: 0.5 },
  scaleSd: 0.5,
};

const rounds = 50;

/**
 * Fits scale, offsets and draw rate to matches by penalised maximum likelihood: a logit of each pair of teams, whose
 * utilities are scale · ln(model's chance) + Σ offset · feature, with normal priors (scale and factors around 1,
 * other offsets around 0: that is the shrinkage). Newton's method; the problem is convex. A draw of two teams counts half to each. The uncertainties are
 * those of the normal approximation at the maximum.
 *
 * With more than two teams every pair counts, since a chance in a race is that of one team to finish before another. The
 * pairs of n teams depend on each other: together they weigh as much as n − 1 matches of two. Tied pairs say nothing.
 *
 * @see McFadden (1974), Conditional logit analysis of qualitative choice behaviour; Varin, Reid and Firth (2011), An
 *   overview of composite likelihood methods, for the pairs of a ranking
 */
export function fitCalibration(samples: readonly Sample[]): Calibration {
  const names = namesIn(samples);
  const index = new Map(names.map((name, i) => [name, i + 1]));
  const size = names.length + 1;
  const precision = [
    fitPriors.scaleSd ** -2,
    ...names.map((name) => (own(fitPriors.offsetSd, kindOf(name)) ?? 0.3) ** -2),
  ];
  const contests = samples.map((sample) => contestOf(sample, index));
  const expected = [1, ...names.map((name) => Number(factorFeatures.includes(name)))];
  let weights = expected;
  let curvature = Matrix.eye(size, size);
  for (let round = 0; round < rounds; round++) {
    const { gradient, hessian } = slopes(contests, weights, expected, precision);
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
  const draws = samples.reduce((sum, { ranks }) => sum + Number(winners(ranks) > 1), 0);
  return {
    scale: learned(0),
    offsets: Object.fromEntries(names.map((name, i) => [name, learned(i + 1)])),
    drawRate: samples.length === 0 ? 0 : draws / (samples.length + 10),
    matches: samples.length,
  };
}

/** The features of all samples, sorted. */
function namesIn(samples: readonly Sample[]): string[] {
  const names = new Set<string>();
  for (const { features } of samples)
    for (const each of features) for (const name of Object.keys(each)) names.add(name);
  return [...names].toSorted();
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

/** A match of two teams. Only their difference counts, and it is the same for both. */
interface Duel {
  readonly kind: 'duel';
  readonly difference: Utility;
  /** Of the first team: 1, ½, 0. */
  readonly outcome: number;
}

/** The teams of a larger match. */
interface Race {
  readonly kind: 'race';
  readonly teams: readonly Utility[];
  readonly ranks: readonly number[];
}

type Ranked = Duel | Race;

function contestOf({ raw, features, ranks }: Sample, index: ReadonlyMap<string, number>): Ranked {
  const teams = raw.map((chance, t) => utilityOf(chance, features[t] ?? {}, index));
  const [first, second] = teams;
  if (!first || !second || teams.length !== 2) return { kind: 'race', teams, ranks };
  const outcome = outcomeBetween(ranks[0] ?? 0, ranks[1] ?? 0);
  return { kind: 'duel', difference: difference(first, second), outcome };
}

function utilityOf(chance: number, features: Features, index: ReadonlyMap<string, number>): Utility {
  const at = [0];
  const values = [logOf(chance)];
  for (const [name, value] of Object.entries(features)) {
    at.push(index.get(name) ?? 0);
    values.push(value);
  }
  return { at, values };
}

function difference(first: Utility, second: Utility): Utility {
  const at = [...first.at];
  const values = [...first.values];
  for (let j = 0; j < second.at.length; j++) {
    const i = second.at[j] ?? 0;
    const value = second.values[j] ?? 0;
    const place = at.indexOf(i);
    if (place >= 0) values[place] = (values[place] ?? 0) - value;
    else {
      at.push(i);
      values.push(-value);
    }
  }
  if (!values.includes(0)) return { at, values };
  return { at: at.filter((_, j) => values[j] !== 0), values: values.filter((value) => value !== 0) };
}

function winners(ranks: readonly number[]): number {
  const best = Math.min(...ranks);
  return ranks.filter((rank) => rank === best).length;
}

/** Gradient of the log posterior, and its negative Hessian. */
function slopes(
  contests: readonly Ranked[],
  weights: readonly number[],
  expected: readonly number[],
  precision: readonly number[],
): { gradient: number[]; hessian: Matrix } {
  const size = weights.length;
  const gradient = weights.map((weight, i) => -(precision[i] ?? 0) * (weight - (expected[i] ?? 0)));
  // Row by row, only from the diagonal on: this loop takes most of the time.
  const sums = new Float64Array(size * size);
  for (const contest of contests)
    if (contest.kind === 'duel') addDuel(gradient, sums, size, contest, weights);
    else addRace(gradient, sums, size, contest, weights);
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

/** Adds a match of two teams: it is one pair. */
function addDuel(
  gradient: number[],
  sums: Float64Array,
  size: number,
  { difference: mine, outcome }: Duel,
  weights: readonly number[],
): void {
  const chance = sigmoid(utility(mine, weights));
  const surprise = outcome - chance;
  addOuters(sums, size, mine, chance * (1 - chance), mine);
  for (let j = 0; j < mine.at.length; j++) {
    const i = mine.at[j] ?? 0;
    gradient[i] = (gradient[i] ?? 0) + surprise * (mine.values[j] ?? 0);
  }
}

/**
 * Adds the pairs of a match. The Hessian of a pair is p(1 − p) · d·dᵀ, where d is the difference of its teams: the products
 * of each team with itself are gathered first.
 */
function addRace(
  gradient: number[],
  sums: Float64Array,
  size: number,
  { teams, ranks }: Race,
  weights: readonly number[],
): void {
  const utilities = teams.map((team) => utility(team, weights));
  const isDraw = ranks.every((rank) => rank === ranks[0]);
  const weight = 2 / teams.length;
  for (let t = 0; t < teams.length; t++) {
    const mine = teams[t] ?? nothing;
    let surprise = 0;
    let spread = 0;
    for (let u = 0; u < teams.length; u++) {
      const order = (ranks[u] ?? 0) - (ranks[t] ?? 0);
      if (u === t || (order === 0 && !isDraw)) continue;
      const chance = sigmoid((utilities[t] ?? 0) - (utilities[u] ?? 0));
      const doubt = weight * chance * (1 - chance);
      surprise += weight * ((order === 0 ? 0.5 : Number(order > 0)) - chance);
      spread += doubt;
      addOuters(sums, size, mine, -doubt, teams[u] ?? nothing);
    }
    addOuters(sums, size, mine, spread, mine);
    for (let j = 0; j < mine.at.length; j++) {
      const i = mine.at[j] ?? 0;
      gradient[i] = (gradient[i] ?? 0) + surprise * (mine.values[j] ?? 0);
    }
  }
}

const nothing: Utility = { at: [], values: [] };

/** Adds factor · mine · otherᵀ to the matrix, from the diagonal on. */
function addOuters(sums: Float64Array, size: number, mine: Utility, factor: number, other: Utility): void {
  for (let j = 0; j < mine.at.length; j++) {
    const row = mine.at[j] ?? 0;
    const scaled = factor * (mine.values[j] ?? 0);
    for (let l = 0; l < other.at.length; l++) {
      const k = other.at[l] ?? 0;
      if (k < row) continue;
      const cell = row * size + k;
      sums[cell] = (sums[cell] ?? 0) + scaled * (other.values[l] ?? 0);
    }
  }
}

function utility({ at, values }: Utility, weights: readonly number[]): number {
  let sum = 0;
  for (let j = 0; j < at.length; j++) sum += (weights[at[j] ?? 0] ?? 0) * (values[j] ?? 0);
  return sum;
}
