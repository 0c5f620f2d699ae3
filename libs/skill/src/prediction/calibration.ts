import { own, type Calibration } from '@muster/domain';
import { softmax } from '../maths/logistic.js';
import { measurable } from '../party/bonus.js';
import { aspectsFeature, factorFeatures, type Features } from './features.js';

/** Each team's chance to win, in the form for display and use. */
export interface Prediction {
  /** In team order, adding up to 1; a draw counts half to each of two. */
  readonly chances: readonly number[];
  /** The chance of a draw. */
  readonly draw: number;
}

/** The identity: the model's chances are used as they are. */
export const uncalibrated: Calibration = {
  scale: { mean: 1, sd: 1 },
  offsets: {},
  drawRate: 0,
  matches: 0,
};

/**
 * The value of a team's features in log-odds. A party's value counts only if it is significant: with an uncertain sign it
 * would reward or punish friends by chance.
 */
export function oddsOf(features: Features, calibration: Calibration): number {
  const { offsets } = calibration;
  let odds = 0;
  for (const [name, value] of Object.entries(features)) {
    if (factorFeatures.includes(name)) {
      odds += factorOf(calibration, name) * value;
      continue;
    }
    const offset = own(offsets, name);
    if (!offset || (name === 'party' && !measurable(offset))) continue;
    odds += offset.mean * value;
  }
  return odds;
}

/** The factor on the log-odds of skills by aspect, not negative: below 0 they tell nothing. 1 until it is learned. */
export function aspectsFactor(calibration: Calibration): number {
  return factorOf(calibration, aspectsFeature);
}

function factorOf({ offsets }: Calibration, name: string): number {
  return Math.max(0, own(offsets, name)?.mean ?? 1);
}

/**
 * Calibrated chances: each team's log-odds are scaled, and its offsets added.
 *
 * @param raw the model's own chances, in team order
 * @param odds log-odds of each team's features, on the calibrated scale
 */
export function calibrated(
  raw: readonly number[],
  odds: readonly number[],
  calibration: Calibration,
): Prediction {
  const { scale, drawRate } = calibration;
  const logits = raw.map((chance, t) => scale.mean * logOf(chance) + (odds[t] ?? 0));
  return { chances: softmax(logits), draw: drawRate };
}

/** The natural logarithm, kept finite for events that a model considers impossible. */
export function logOf(chance: number): number {
  return Math.log(Math.max(1e-12, chance));
}
