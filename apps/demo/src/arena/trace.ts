/** A team's chance at a moment. */
export interface Moment {
  /** Seconds since the demo began. */
  readonly at: number;
  readonly chance: number;
}

/** The chances of a match that count as fair. */
export const fair = { from: 0.4, to: 0.6 } as const;

/** The win probability of a match over time, in as many points as a plot can show; the fair share is exact. */
export class Trace {
  private kept: Moment[] = [];
  private every = 1;
  private count = 0;
  private fairCount = 0;

  /** @param most points that are kept, at least 2: memory must not grow with time */
  constructor(private readonly most = 2_000) {}

  add(at: number, chance: number): void {
    if (this.count % this.every === 0) {
      this.kept.push({ at, chance });
      if (this.kept.length > this.most) {
        this.kept = this.kept.filter((_, i) => i % 2 === 0);
        this.every *= 2;
      }
    }
    this.count++;
    // Rounded, or 0.6 of one sum would be fair and 0.6 of another not.
    const rounded = Math.round(chance * 1e9) / 1e9;
    if (rounded >= fair.from && rounded <= fair.to) this.fairCount++;
  }

  get moments(): readonly Moment[] {
    return this.kept;
  }

  /** Share of all moments at which both teams had a fair chance; null before the first. */
  get fairShare(): number | null {
    return this.count === 0 ? null : this.fairCount / this.count;
  }
}
