import { type CapacityReport, type Clock, reportCapacity, type ScaleOutLimits } from '@muster/domain';
import type { PostgresShortageStore } from './shortages.store.js';

/** The age of a count that is shown again, in milliseconds: a count reads all servers. */
const shownAgainMs = 2_000;

/** Slots by build and region at one moment. */
export interface CapacityAt {
  readonly at: number;
  readonly places: readonly CapacityReport[];
}

/** Capacity for operators. Calls that come together or soon after another share one count. */
export class CapacityReports {
  private last: { readonly at: number; readonly count: Promise<CapacityAt> } | null = null;

  constructor(
    private readonly store: Pick<PostgresShortageStore, 'countCapacity'>,
    private readonly clock: Clock,
    private readonly limits: ScaleOutLimits,
  ) {}

  /** @returns the capacity, counted at most two seconds ago */
  async read(): Promise<CapacityAt> {
    const now = this.clock.now();
    const agoMs = now - (this.last?.at ?? -Infinity);
    if (this.last && agoMs >= 0 && agoMs < shownAgainMs) return this.last.count;
    const counting = { at: now, count: this.count(now) };
    this.last = counting;
    try {
      return await counting.count;
    } catch (error) {
      // A failed count is not shown again.
      if (this.last === counting) this.last = null;
      throw error;
    }
  }

  private async count(at: number): Promise<CapacityAt> {
    const facts = await this.store.countCapacity(this.limits, at);
    return { at, places: reportCapacity(facts, this.limits.spares, this.limits.builds) };
  }
}
