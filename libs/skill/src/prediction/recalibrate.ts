import type { Calibration } from '@muster/domain';
import { calibrated, logOf, oddsOf } from './calibration.js';
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
  const cut = Math.floor(recent.length * (1 - heldOutShare));
  const heldOut = recent.slice(cut);
  const candidate = fitCalibration(recent.slice(0, cut));
  return surprise(candidate, heldOut) < surprise(current, heldOut) ? fitCalibration(recent) : null;
}

/** Mean −ln of the calibrated chance of the winner; a tie is the mean over the tied teams. */
function surprise(calibration: Calibration, samples: readonly Sample[]): number {
  let total = 0;
  for (const { raw, features, ranks } of samples) {
    const odds = features.map((each) => oddsOf(each, calibration));
    const { chances } = calibrated(raw, odds, calibration);
    const best = Math.min(...ranks);
    const winners = chances.filter((_chance, t) => ranks[t] === best);
    total -= winners.reduce((sum, chance) => sum + logOf(chance), 0) / Math.max(1, winners.length);
  }
  return total / Math.max(1, samples.length);
}
