import { pairsOf, scorePredictions } from '@muster/skill';
import type { ReliabilityBin } from '@muster/plot';

/** The quality of predictions; each figure is a mean over matches. */
export interface Figures {
  readonly accuracy: number;
  /** Natural logarithm; 0.693 is a coin flip. */
  readonly logLoss: number;
  /** 0.25 is a coin flip. */
  readonly brier: number;
}

const tenths = 10;

/**
 * Accumulates the quality of predictions. A match of two teams is one prediction. In a larger match every pair of teams
 * with different ranks is one, and the match counts as the mean over its pairs.
 */
export class Tally {
  private readonly bins = Array.from({ length: tenths }, () => ({ count: 0, predicted: 0, happened: 0 }));
  private accuracy = 0;
  private logLoss = 0;
  private brier = 0;
  private counted = 0;

  /**
   * @param chances of each team to be first
   * @param ranks 1 is best
   */
  add(chances: readonly number[], ranks: readonly number[]): void {
    // A tie has no winner to predict.
    const pairs = pairsOf({ ranks }, chances).filter(({ outcome }) => outcome !== 0.5);
    if (pairs.length === 0) return;
    const { accuracy, logLoss, brier } = scorePredictions(pairs);
    this.accuracy += accuracy;
    this.logLoss += logLoss;
    this.brier += brier;
    this.counted++;
    for (const { chance, outcome } of pairs) {
      const bin = this.bins[Math.min(tenths - 1, Math.floor(chance * tenths))];
      if (!bin) continue;
      bin.count += 1 / pairs.length;
      bin.predicted += chance / pairs.length;
      bin.happened += outcome / pairs.length;
    }
  }

  /** The number of added matches with a winner. */
  get matches(): number {
    return this.counted;
  }

  /** The means, or null without matches. */
  figures(): Figures | null {
    if (this.counted === 0) return null;
    return {
      accuracy: this.accuracy / this.counted,
      logLoss: this.logLoss / this.counted,
      brier: this.brier / this.counted,
    };
  }

  /** Predicted and observed frequency, by tenths of the chance. */
  reliability(): ReliabilityBin[] {
    return this.bins
      .filter(({ count }) => count > 0)
      .map(({ count, predicted, happened }) => ({
        count,
        predicted: within(predicted / count),
        happened: within(happened / count),
      }));
  }
}

/** Rounding may overshoot in the last bit. */
function within(part: number): number {
  return Math.min(1, Math.max(0, part));
}
