import type { AnswerOf } from '@muster/contracts';

export type Health = AnswerOf<'readPoolHealth'>;

/** The health of a pool in one word, and why. */
export interface HealthWord {
  readonly word: 'new' | 'good' | 'drifting' | 'miscalibrated' | 'poor';
  readonly colour: 'gray' | 'green' | 'yellow' | 'red';
  readonly why: string;
}

/** Predictions from which on figures tell more than chance. */
const enough = 100;
/** The log-loss of a coin flip between two teams. */
export const coinFlip = Math.LN2;
/** The mean rating this far from the start value, in start uncertainties. */
const farDrift = 0.5;
/** Chances this far from what happened, on the mean, beyond what the number of predictions explains. */
const farOff = 0.05;

/** Judges the figures that the API gives. */
export function healthWord({
  overall,
  deciles,
  periods,
}: Pick<Health, 'overall' | 'deciles' | 'periods'>): HealthWord {
  const { calibrated } = overall;
  if (calibrated.decided < enough)
    return {
      word: 'new',
      colour: 'gray',
      why: `${calibrated.decided} decided matches; the figures are reliable from ${enough} on.`,
    };
  const off = meanError(deciles);
  if (off > farOff)
    return {
      word: 'miscalibrated',
      colour: 'red',
      why: `Predicted chances differ from results by ${percent(off)} on average, beyond chance. Other rules or a rebuild may correct it.`,
    };
  const drift = periods.findLast(({ calibrated: { matches } }) => matches > 0)?.drift ?? 0;
  if (Math.abs(drift) > farDrift)
    return {
      word: 'drifting',
      colour: 'yellow',
      why: `The mean rating is ${Math.abs(drift).toFixed(2)} start uncertainties ${drift > 0 ? 'above' : 'below'} the start value: ratings ${drift > 0 ? 'inflate' : 'deflate'}.`,
    };
  if (calibrated.logLoss > coinFlip + 2 * standardError(calibrated.decided))
    return {
      word: 'poor',
      colour: 'red',
      why: `The log-loss of ${calibrated.logLoss.toFixed(3)} is above that of a coin flip, ${coinFlip.toFixed(3)}.`,
    };
  return {
    word: 'good',
    colour: 'green',
    why: `Predicted chances agree with the results of ${calibrated.decided.toLocaleString()} decided matches.`,
  };
}

/** How far chances are from what happened, on the mean of predictions, less two standard errors of each decile. */
export function meanError(deciles: Health['deciles']): number {
  const total = deciles.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return 0;
  const off = deciles.reduce((sum, { predicted, happened, count }) => {
    if (count === 0) return sum;
    const chance = 2 * Math.sqrt((predicted * (1 - predicted)) / count);
    return sum + count * Math.max(0, Math.abs(predicted - happened) - chance);
  }, 0);
  return off / total;
}

/** Of a mean log-loss near a coin flip, roughly. */
const standardError = (matches: number): number => 0.2 / Math.sqrt(matches);
const percent = (share: number): string => `${(100 * share).toFixed(1)} percentage points`;
