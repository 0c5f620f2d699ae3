const precision = 0.005;
const growth = (1 + precision) / (1 - precision);
const perStep = 1 / Math.log(growth);

/**
 * Quantiles of a stream of numbers in constant memory: each is counted in a bucket a hundredth wide, so a quantile is
 * within half a percent. Below `least`, numbers count as 0.
 *
 * @see Masson, Rim and Lee (2019), DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees
 */
export class Quantiles {
  private buckets = new Float64Array(256);
  private zeros = 0;
  private sum = 0;
  count = 0;

  /** @param least above 0: smaller differences are irrelevant */
  constructor(private readonly least: number) {}

  /** @param value not negative @param times how often it counts */
  add(value: number, times = 1): void {
    this.count += times;
    this.sum += value * times;
    if (value < this.least) {
      this.zeros += times;
      return;
    }
    const bucket = Math.ceil(Math.log(value / this.least) * perStep);
    if (bucket >= this.buckets.length) {
      const wider = new Float64Array(Math.max(bucket + 1, 2 * this.buckets.length));
      wider.set(this.buckets);
      this.buckets = wider;
    }
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + times;
  }

  /** @returns NaN without values */
  mean(): number {
    return this.sum / this.count;
  }

  /** @param share 0 to 1 @returns NaN without values */
  at(share: number): number {
    if (this.count === 0) return NaN;
    let left = share * this.count - this.zeros;
    if (left <= 0) return 0;
    for (let bucket = 0; bucket < this.buckets.length; bucket++) {
      left -= this.buckets[bucket] ?? 0;
      if (left <= 1e-9 * this.count) return this.least * growth ** (bucket - 0.5);
    }
    return NaN;
  }

  /** The quantiles of several shares, for a curve. */
  curve(shares: readonly number[]): number[] {
    return shares.map((share) => this.at(share));
  }
}
