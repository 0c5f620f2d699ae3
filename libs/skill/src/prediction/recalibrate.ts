import type { Calibration } from '@muster/domain';
import { pairsOf } from '../health/health.js';
import { scorePredictions } from '../score.js';
import { calibrated, oddsOf, uncalibrated } from './calibration.js';
import { fitCalibration, type Sample } from './fit.js';

/** Fewest matches for a calibration. */
export const leastToCalibrate = 50;
/** Most matches for a calibration, the latest: a pool changes. */
export const mostToCalibrate = 10_000;

const heldOutShare = 0.2;

/**
 * A calibration refitted to a pool's history, if it is better than the one in force: fitted to the first four fifths, it
 * must predict the last fifth better. The returned one is then fitted to all.
 *
 * @param history oldest first; the latest `mostToCalibrate` count
 * @returns null when the one in force stays
 */
export function recalibrated(current: Calibration, history: readonly Sample[]): Calibration | null {
  const recent = history.slice(-mostToCalibrate);
  if (recent.length < leastToCalibrate) return null;
  const trial = tried(recent);
  const better = trial.isWorse ? trial.raw : trial.fitted;
  return mean(better) < mean(surprises(current, trial.heldOut)) ? learnedFrom(recent, trial.isWorse) : null;
}

/**
 * The calibration that a history teaches: fitted to it, or the model's own chances where these predict the last fifth
 * clearly better than a fit to the first four fifths.
 *
 * @param history oldest first; the latest `mostToCalibrate` count
 */
export function calibrationFrom(history: readonly Sample[]): Calibration {
  const recent = history.slice(-mostToCalibrate);
  return learnedFrom(recent, recent.length >= leastToCalibrate && tried(recent).isWorse);
}

/** A calibration tried on matches that it was not fitted to: the surprise at each. */
interface Trial {
  readonly heldOut: readonly Sample[];
  readonly fitted: readonly number[];
  readonly raw: readonly number[];
  /**
   * Whether the fit is worse than the model's own chances by more than a standard error. By less, the fit is used: its
   * priors already keep it near the model's chances, and a short history would often choose them by chance.
   */
  readonly isWorse: boolean;
}

function tried(recent: readonly Sample[]): Trial {
  const cut = Math.floor(recent.length * (1 - heldOutShare));
  const heldOut = recent.slice(cut);
  const fitted = surprises(fitCalibration(recent.slice(0, cut)), heldOut);
  const raw = surprises(uncalibrated, heldOut);
  const losses = fitted.map((each, i) => each - (raw[i] ?? 0));
  const loss = mean(losses);
  const variance = mean(losses.map((each) => (each - loss) ** 2));
  return { heldOut, fitted, raw, isWorse: loss > Math.sqrt(variance / losses.length) };
}

function learnedFrom(recent: readonly Sample[], isRaw: boolean): Calibration {
  const fitted = fitCalibration(recent);
  // Draws are a share of the matches, whatever the chances.
  return isRaw ? { ...uncalibrated, drawRate: fitted.drawRate, matches: fitted.matches } : fitted;
}

/** The log-loss of each calibrated match; with many teams a match is the mean over its pairs. */
function surprises(calibration: Calibration, samples: readonly Sample[]): number[] {
  return samples.map(({ raw, features, ranks }) => {
    const odds = features.map((each) => oddsOf(each, calibration));
    const pairs = pairsOf({ ranks }, calibrated(raw, odds, calibration).chances);
    // As in the fit: tied pairs of a race say nothing, and a draw counts half to each.
    const decided = pairs.filter(({ outcome }) => outcome !== 0.5);
    return scorePredictions(decided.length > 0 ? decided : pairs).logLoss;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}
