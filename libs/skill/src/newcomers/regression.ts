import { Unsolvable, type SkillBelief } from '@muster/domain';
import { joined, predictRidge, solveRidge, sumsOf, type Sums } from './ridge.js';
import {
  averageOf,
  columnsOf,
  featuresOfHistory,
  tooLarge,
  valuesOf,
  type Column,
  type Feature,
  type MatchStats,
  type RegressionRow,
} from './table.js';

export type { MatchStats, RegressionRow } from './table.js';

export interface RegressionOptions {
  /** Fewest matches of the history. */
  readonly minMatches?: number | undefined;
  /** Matches of a player that are averaged into one sample: as many as seed a newcomer. */
  readonly window?: number | undefined;
  /** The held-out R² below which the fit is refused. */
  readonly leastR2?: number | undefined;
  /** A category's value in fewer rows than this is pooled with the other rare ones. */
  readonly rare?: number | undefined;
}

/** The quality of a fit; errors are in the pool's units. */
export interface RegressionQuality {
  readonly rows: number;
  readonly players: number;
  readonly matches: number;
  /** Averages of up to `window` matches, used for the fit. */
  readonly samples: number;
  /** Share of the variance explained, on the training samples. */
  readonly r2: number;
  /** On players left out of the fit: the same, root mean squared and mean absolute error. */
  readonly heldOutR2: number;
  readonly heldOutError: number;
  readonly heldOutAbsoluteError: number;
  /** Root mean squared error of predicting the mean, for comparison. */
  readonly errorOfMean: number;
}

/** A fitted regression from stats to rating; JSON. */
export interface SkillRegression {
  readonly columns: readonly Column[];
  /** Of the scaled columns, in their order. */
  readonly weights: readonly number[];
  readonly intercept: number;
  readonly ridge: number;
  /** Matches that a sample averages, as the harmonic mean. */
  readonly window: number;
  /** Standard deviation of the estimate between matches of one player. */
  readonly wobble: number;
  readonly fit: RegressionQuality;
}

interface Sample {
  readonly player: string;
  readonly rows: number;
  readonly values: readonly number[];
  readonly target: number;
  readonly members: readonly (readonly number[])[];
}

/** Candidate strengths of the ridge. Columns are scaled to variance 1. */
const ridges = [1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3, 10];
/** Folds of the cross-validation; a player is in one of them. */
const folds = 5;

/**
 * Fits a ridge regression from stats to rating.
 *
 * A player's matches are averaged in groups of about `window` first. One match is mostly chance, and a line fitted through
 * single matches is too flat for averages (regression dilution); fitted to averages of the length a newcomer will have,
 * both the line and its error are right for newcomers. The ridge is the strength with the least squared error on players
 * left out.
 *
 * @throws Unsolvable when the history is too small or invalid, or does not separate ratings well enough, with the figures
 */
export function fitRegression(
  rows: readonly RegressionRow[],
  { minMatches = 200, window = 10, leastR2 = 0.1, rare = 20 }: RegressionOptions = {},
): SkillRegression {
  const history = checkedHistory(rows, minMatches);
  const { features, samples } = samplesOf(rows, window, rare);
  const columns = columnsOf(
    features,
    samples.map(({ values }) => values),
  );
  const scale = scalerOf(features, columns);
  // Targets are scaled too, so that the pool's units do not matter.
  const target = targetMoments(samples);
  const xs = samples.map(({ values }) => scale(values));
  const ys = samples.map((sample) => (sample.target - target.mean) / target.deviation);
  const parts = partsOf(samples).map((of) => partWith(of, xs, ys, columns.length));
  const all = parts.map(({ sums }) => sums).reduce((a, b) => joined(a, b));

  const best = bestRidge(parts, all);
  const heldOutR2 = 1 - best.squares / best.squaresOfMean;
  const flaw = fitFlaw(heldOutR2, leastR2);
  if (flaw !== null) throw new Unsolvable(flaw);
  const solved = solveRidge(all, best.ridge);
  const residues = xs.reduce((sum, x, s) => sum + (predictRidge(solved, x) - (ys[s] ?? 0)) ** 2, 0);
  const n = samples.length;
  return {
    columns,
    weights: solved.weights.map((weight) => weight * target.deviation),
    intercept: target.mean + solved.intercept * target.deviation,
    ridge: best.ridge,
    window: n / samples.reduce((sum, sample) => sum + 1 / sample.rows, 0),
    wobble: target.deviation * wobbleOf(samples, (values) => predictRidge(solved, scale(values))),
    fit: {
      ...history,
      samples: n,
      r2: 1 - residues / n,
      heldOutR2,
      heldOutError: target.deviation * Math.sqrt(best.squares / n),
      heldOutAbsoluteError: (target.deviation * best.absolute) / n,
      errorOfMean: target.deviation * Math.sqrt(best.squaresOfMean / n),
    },
  };
}

/** Why a fit is too poor to estimate players by; null if it is not. */
export function fitFlaw(heldOutR2: number, leastR2: number): string | null {
  if (heldOutR2 >= leastR2) return null;
  return `Stats explain ${percent(heldOutR2)} of the differences between players that were left out; placing by them needs ${percent(leastR2)}.`;
}

/** The size of a history. @throws Unsolvable when it is too small for the fit or its cross-validation */
function checkedHistory(
  rows: readonly RegressionRow[],
  minMatches: number,
): Pick<RegressionQuality, 'rows' | 'players' | 'matches'> {
  const matches = new Set(rows.map(({ match }) => match)).size;
  const players = new Set(rows.map(({ player }) => player)).size;
  if (matches < minMatches)
    throw new Unsolvable(`The history has ${matches} matches; placing by stats needs ${minMatches}.`);
  if (players < 2 * folds)
    throw new Unsolvable(
      `Cross-validation in ${folds} parts needs at least ${2 * folds} players; there are ${players}.`,
    );
  return { rows: rows.length, players, matches };
}

/** Selects the used columns from the values of a sample, and scales them to mean 0 and variance 1. */
function scalerOf(
  features: readonly Feature[],
  columns: readonly Column[],
): (values: readonly number[]) => number[] {
  const used = columns.map(({ feature }) => features.indexOf(feature));
  return (values) =>
    columns.map(({ mean, deviation }, i) => ((values[used[i] ?? 0] ?? 0) - mean) / deviation);
}

/** @throws Unsolvable when the targets are all equal, or too large to be distinguished */
function targetMoments(samples: readonly Sample[]): { mean: number; deviation: number } {
  const moments = momentsOf(samples.map((sample) => sample.target));
  if (!(moments.deviation > 1e-9 * Math.abs(moments.mean)) || !(moments.deviation < tooLarge))
    throw new Unsolvable('All ratings of the history are the same (or too large); there is nothing to fit.');
  return moments;
}

/**
 * Estimates a newcomer by their first matches. Their stats are averaged first, as in the fit: an average contains less chance,
 * and for a line it gives the same mean as averaging the estimates. An average outside the history's range counts as its
 * edge, since the line is unknown beyond.
 *
 * @returns mean and standard deviation of the rating. The latter is the error on players left out of the fit, and more when
 *   there are fewer matches than the fit averages
 * @throws Unsolvable when there is no match, or a column is missing
 */
export function estimateBy(model: SkillRegression, rows: readonly MatchStats[]): SkillBelief {
  if (rows.length === 0) throw new Unsolvable('Placing by stats needs at least one match.');
  const features = model.columns.map(({ feature }) => feature);
  const average = averageOf(
    rows.map((row, r) => valuesOf(row, features, () => `Match ${r + 1} of the newcomer`)),
  );
  const scaled = model.columns.map(
    ({ mean, deviation, least, most: highest }, i) =>
      (Math.min(highest, Math.max(least, average[i] ?? 0)) - mean) / deviation,
  );
  const missing = Math.max(0, 1 / rows.length - 1 / model.window);
  return {
    mu: predictRidge(model, scaled),
    sigma: Math.max(
      Math.hypot(model.fit.heldOutError, model.wobble * Math.sqrt(missing)),
      1e-6 * model.fit.errorOfMean,
    ),
  };
}

function samplesOf(
  rows: readonly RegressionRow[],
  window: number,
  rare: number,
): { features: readonly Feature[]; samples: Sample[] } {
  const features = featuresOfHistory(rows, rare);
  const byPlayer = new Map<string, { values: number[]; target: number }[]>();
  for (const row of rows) {
    const whose = (): string => `Player ${row.player} in match ${row.match}`;
    if (!(Math.abs(row.target) < tooLarge)) throw new Unsolvable(`${whose()} has the rating ${row.target}.`);
    const seen = byPlayer.get(row.player) ?? [];
    seen.push({ values: valuesOf(row, features, whose), target: row.target });
    byPlayer.set(row.player, seen);
  }
  const samples = [...byPlayer].flatMap(([player, seen]) => {
    const groups = Math.ceil(seen.length / window);
    return Array.from({ length: groups }, (_, g): Sample => {
      const group = seen.slice(
        Math.floor((g * seen.length) / groups),
        Math.floor(((g + 1) * seen.length) / groups),
      );
      const members = group.map(({ values }) => values);
      const target = group.reduce((sum, each) => sum + each.target / group.length, 0);
      return { player, rows: group.length, values: averageOf(members), target, members };
    });
  });
  return { features, samples };
}

/** Sample numbers in parts of about equal size; all of a player's are in one part. */
function partsOf(samples: readonly Sample[]): number[][] {
  const parts = Array.from({ length: folds }, (): number[] => []);
  const partOf = new Map<string, number[]>();
  samples.forEach(({ player }, s) => {
    let part = partOf.get(player);
    if (!part) {
      part = parts.reduce((a, b) => (b.length < a.length ? b : a));
      partOf.set(player, part);
    }
    part.push(s);
  });
  return parts;
}

interface Part {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly sums: Sums;
}

function partWith(
  members: readonly number[],
  xs: readonly (readonly number[])[],
  ys: readonly number[],
  width: number,
): Part {
  const x = members.map((s) => xs[s] ?? []);
  const y = members.map((s) => ys[s] ?? 0);
  return { x, y, sums: sumsOf(x, y, width) };
}

interface HeldOut {
  readonly squares: number;
  readonly absolute: number;
  readonly squaresOfMean: number;
}

/** The strength with the least squared error on held-out parts, and its errors there. */
function bestRidge(parts: readonly Part[], all: Sums): HeldOut & { readonly ridge: number } {
  return ridges
    .map((ridge) => ({ ridge, ...heldOut(parts, all, ridge) }))
    .reduce((a, b) => (b.squares < a.squares ? b : a));
}

/** Sums of squared and absolute errors on each part of a fit to all others; and of predicting the others' mean. */
function heldOut(parts: readonly Part[], all: Sums, ridge: number): HeldOut {
  let [squares, absolute, squaresOfMean] = [0, 0, 0];
  for (const { x, y, sums } of parts) {
    const others = joined(all, sums, -1);
    const solved = solveRidge(others, ridge);
    const mean = others.y / others.rows;
    x.forEach((row, r) => {
      const truth = y[r] ?? 0;
      const off = predictRidge(solved, row) - truth;
      squares += off * off;
      absolute += Math.abs(off);
      squaresOfMean += (mean - truth) ** 2;
    });
  }
  return { squares, absolute, squaresOfMean };
}

/** Standard deviation of an estimate between matches of the same sample. */
function wobbleOf(samples: readonly Sample[], estimate: (values: readonly number[]) => number): number {
  let [squares, freedom] = [0, 0];
  for (const { values, members } of samples) {
    const centre = estimate(values);
    for (const each of members) squares += (estimate(each) - centre) ** 2;
    freedom += members.length - 1;
  }
  return freedom === 0 ? 0 : Math.sqrt(squares / freedom);
}

function momentsOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0);
  return { mean, deviation: Math.sqrt(variance) };
}

function percent(share: number): string {
  return `${Math.round(1000 * share) / 10} %`;
}
