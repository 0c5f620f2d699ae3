import { Unsolvable, type RatingRules } from '@muster/domain';
import { Replay, type HistoricMatch } from '@muster/lab-simulation';
import {
  calibrated,
  fitCalibration,
  mostToCalibrate,
  oddsOf,
  pairsOf,
  poolModelOf,
  scorePredictions,
  uncalibrated,
  type PoolPrediction,
  type Sample,
} from '@muster/skill';

/** The log-loss of each decided match, oldest first. */
export type Losses = readonly number[];

/** The log-losses of calibrated predictions under some rules, or why they cannot rate the history. */
export function lossesUnder(rules: RatingRules, matches: readonly HistoricMatch[]): Losses | string {
  try {
    const replay = new Replay(poolModelOf(rules));
    const losses: number[] = [];
    for (const match of matches) {
      const { chances } = replay.take(match);
      const loss = lossOf(match.ranks, chances);
      if (loss !== null) losses.push(loss);
    }
    return losses;
  } catch (error) {
    if (error instanceof Unsolvable) return error.message;
    throw error;
  }
}

/**
 * The log-losses of several models' predictions stacked: a logistic regression on the log-odds of all of them, with the
 * features and priors of a calibration, learned from the matches before each. Null if one of them cannot rate the history.
 *
 * @see Wolpert (1992), Stacked generalization
 */
export function stackedLosses(
  stacked: readonly RatingRules[],
  matches: readonly HistoricMatch[],
): Losses | null {
  const replays = stacked.map((rules) => new Replay(poolModelOf(rules)));
  const losses: number[] = [];
  let samples: Sample[] = [];
  let calibration = uncalibrated;
  let learnAt = leastGrowth;
  try {
    for (const [i, match] of matches.entries()) {
      const sample = stackedSample(
        replays.map((replay) => replay.take(match)),
        match.ranks,
      );
      const odds = sample.features.map((each) => oddsOf(each, calibration));
      const loss = lossOf(match.ranks, calibrated(sample.raw, odds, calibration).chances);
      if (loss !== null) losses.push(loss);
      samples.push(sample);
      if (samples.length > 2 * mostToCalibrate) samples = samples.slice(-mostToCalibrate);
      if (i + 1 < learnAt) continue;
      calibration = fitCalibration(samples.slice(-mostToCalibrate));
      learnAt = Math.max(learnAt + leastGrowth, Math.ceil(learnAt * growth));
    }
  } catch (error) {
    if (error instanceof Unsolvable) return null;
    throw error;
  }
  return losses;
}

/** As in `Replay`. */
const growth = 1.1;
const leastGrowth = 25;

/** The first model's prediction, with the log-odds of the others as features. */
function stackedSample(predictions: readonly PoolPrediction[], ranks: readonly number[]): Sample {
  const [first, ...others] = predictions;
  const features = (first?.features ?? []).map((each, t) => ({
    ...each,
    ...Object.fromEntries(
      others.map(({ raw }, m) => [`stacked:${m}`, Math.log(Math.max(1e-12, raw[t] ?? 1))] as const),
    ),
  }));
  return { raw: first?.raw ?? [], features, ranks };
}

/** Natural logarithm; the mean over the pairs of different rank. Null for a draw, which has no winner to predict. */
function lossOf(ranks: readonly number[], chances: readonly number[]): number | null {
  const pairs = pairsOf({ ranks }, chances).filter(({ outcome }) => outcome !== 0.5);
  return pairs.length === 0 ? null : scorePredictions(pairs).logLoss;
}
