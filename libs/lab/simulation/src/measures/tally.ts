import { lopsided } from '@muster/matchmaking';
import { Quantiles } from './quantiles.js';

/** The evenness of a match. */
export interface Fairness {
  /** The best team's chance less an even share (½ of two teams): by the ratings, and by the true skills. */
  readonly predicted: number;
  readonly actual: number;
}

/** The figures of some kind of players. Waits are in milliseconds, and each player of a party counts. */
export interface Figures {
  /** Players who were matched, counted once per match. */
  readonly matched: number;
  /** Part of those who queued without a match: they gave up, or their ticket expired. */
  readonly gaveUp: number;
  readonly waitMs: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly mean: number;
  };
  /** Mean distance of the best team's chance from an even share: `|P − ½|` of two teams. */
  readonly unfairness: { readonly predicted: number; readonly actual: number };
  /** Part of the matches beyond 40–60 %. */
  readonly lopsided: { readonly predicted: number; readonly actual: number };
  /** Largest skill of the match's tickets less the smallest, in units of mu. */
  readonly spread: { readonly p50: number; readonly p90: number };
}

/** Adds up players of some kind. */
export class Tally {
  private readonly waits = new Quantiles(10);
  private readonly spreads = new Quantiles(0.01);
  private ended = 0;
  private lost = 0;
  private predicted = 0;
  private actual = 0;
  private lopsidedPredicted = 0;
  private lopsidedActual = 0;

  matched(waitMs: number, fairness: Fairness, spread: number, teams: number): void {
    this.ended++;
    this.waits.add(waitMs);
    this.spreads.add(spread);
    this.predicted += fairness.predicted;
    this.actual += fairness.actual;
    this.lopsidedPredicted += Number(lopsided(fairness.predicted, teams));
    this.lopsidedActual += Number(lopsided(fairness.actual, teams));
  }

  gaveUp(): void {
    this.ended++;
    this.lost++;
  }

  figures(): Figures {
    const matched = this.ended - this.lost;
    return {
      matched,
      gaveUp: this.lost / this.ended,
      waitMs: {
        p50: this.waits.at(0.5),
        p90: this.waits.at(0.9),
        p99: this.waits.at(0.99),
        mean: this.waits.mean(),
      },
      unfairness: { predicted: this.predicted / matched, actual: this.actual / matched },
      lopsided: { predicted: this.lopsidedPredicted / matched, actual: this.lopsidedActual / matched },
      spread: { p50: this.spreads.at(0.5), p90: this.spreads.at(0.9) },
    };
  }

  waitsAt(shares: readonly number[]): number[] {
    return this.waits.curve(shares);
  }
}
