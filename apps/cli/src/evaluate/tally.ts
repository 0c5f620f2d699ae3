import { scorePredictions, type Predicted } from '@muster/skill';
import type { ReliabilityBin } from '@muster/plot';

/** How good predictions were, each figure a mean over matches. */
export interface Figures {
  readonly accuracy: number;
  /** Natural logarithm; 0.693 is a coin flip. */
  readonly logLoss: number;
  /** 0.25 is a coin flip. */
  readonly brier: number;
}

const tenths = 10;

/**
 * Adds up how good predictions were. A match of two teams is one prediction. Of more, every pair of teams with different
 * ranks is one, and the match counts as one: the mean over its pairs.
 */
export class Tally {
  private readonly bins = Array.from({ length: tenths }, () => ({ count: 0, predicted: 0, happened: 0 }));
  private accuracy = 0;
  private logLoss = 0;
  private brier = 0;
  private counted = 0;

  /**
   * @param chances of each team to come first
   * @param ranks 1 is best
   */
  add(chances: readonly number[], ranks: readonly number[]): void {
    const pairs = pairsOf(chances, ranks);
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

  /** Matches added that had a winner. */
  get matches(): number {
    return this.counted;
  }

  /** The means; null when there is nothing to take one of. */
  figures(): Figures | null {
    if (this.counted === 0) return null;
    return {
      accuracy: this.accuracy / this.counted,
      logLoss: this.logLoss / this.counted,
      brier: this.brier / this.counted,
    };
  }

  /** Predicted and come true, by tenths of the chance. */
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

/** The chance of the team named first to come before the other, of all pairs that did not tie. */
function pairsOf(chances: readonly number[], ranks: readonly number[]): Predicted[] {
  const pairs: Predicted[] = [];
  for (let i = 0; i < ranks.length; i++) {
    for (let j = i + 1; j < ranks.length; j++) {
      const [one = 0, other = 0] = [ranks[i], ranks[j]];
      if (one === other) continue;
      const [p = 0, q = 0] = [chances[i], chances[j]];
      pairs.push({ chance: p + q > 0 ? p / (p + q) : 0.5, outcome: one < other ? 1 : 0 });
    }
  }
  return pairs;
}

/** Sums of many parts may overshoot in the last bit. */
function within(part: number): number {
  return Math.min(1, Math.max(0, part));
}
