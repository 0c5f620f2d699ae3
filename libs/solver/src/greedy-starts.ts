import type { Random } from '@muster/domain';
import type { BestTeams } from './arrangement.js';
import type { Budget } from './budget.js';
import type { Seating } from './seating.js';

/**
 * Greedy starts in random order: the groups, large ones first and those of one size in random order, each join the lightest
 * team with room. Then the best swap of two groups of one size is made, until none helps.
 */
export class GreedyStarts {
  private readonly order: Int32Array;
  /** The last swap found. */
  private readonly swap = { a: 0, b: 0, i: 0, j: 0 };

  constructor(
    private readonly seating: Seating,
    private readonly random: Random,
  ) {
    this.order = Int32Array.from(seating.sizes, (_, unit) => unit);
  }

  /** @throws OutOfTime */
  start(list: BestTeams, budget: Budget): void {
    const { seating } = this;
    if (!this.place(budget) || !seating.units.every((units) => seating.keeps(units))) return;
    seating.level();
    const { levels, units, arrangement } = seating;
    let value = arrangement.uneven(Math.min(...levels), Math.max(...levels));
    try {
      for (;;) {
        const next = this.bestSwap(value, budget);
        if (!(next < value)) break;
        value = next;
        this.exchange();
      }
    } finally {
      if (value < list.threshold) seating.offer(units, list);
    }
  }

  private exchange(): void {
    const { a, b, i, j } = this.swap;
    const { units, sums, levels, weights, arrangement } = this.seating;
    const [going, coming] = [units[a]![i]!, units[b]![j]!];
    units[a]![i] = coming;
    units[b]![j] = going;
    sums[a]! += weights[coming]! - weights[going]!;
    sums[b]! += weights[going]! - weights[coming]!;
    levels[a] = arrangement.level(a, sums[a]!);
    levels[b] = arrangement.level(b, sums[b]!);
  }

  /** @returns false when a group found no room */
  private place(budget: Budget): boolean {
    const { seating, order, random } = this;
    const { sizes, sums, arrangement } = seating;
    const { teamSizes } = arrangement.problem;
    const count = teamSizes.length;
    // Groups come largest first, so only those of one size change places.
    for (let from = 0; from < order.length;) {
      let to = from + 1;
      while (to < order.length && sizes[order[to]!] === sizes[order[from]!]) to++;
      for (let at = to - 1; at > from; at--) {
        const other = from + Math.floor(random() * (at - from + 1));
        const unit = order[at]!;
        order[at] = order[other]!;
        order[other] = unit;
      }
      from = to;
    }
    seating.clear();
    const room = [...teamSizes];
    budget.spend(order.length * count);
    for (const unit of order) {
      let best = -1;
      let least = Infinity;
      for (let t = 0; t < count; t++) {
        if (room[t]! < sizes[unit]!) continue;
        const level = arrangement.level(t, sums[t]!);
        if (level >= least) continue;
        least = level;
        best = t;
      }
      if (best < 0) return false;
      seating.add(unit, best);
      room[best]! -= sizes[unit]!;
    }
    return true;
  }

  /** @returns the value after the best swap, which is kept; `value` or more when none helps */
  private bestSwap(value: number, budget: Budget): number {
    const { units, sums, levels, sizes, weights, arrangement } = this.seating;
    const { uneven, level } = arrangement;
    const count = units.length;
    let least = value;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        let low = Infinity;
        let high = -Infinity;
        for (let t = 0; t < count; t++) {
          if (t === a || t === b) continue;
          if (levels[t]! < low) low = levels[t]!;
          if (levels[t]! > high) high = levels[t]!;
        }
        if (uneven(low, high) >= least) continue;
        const [x, y] = [units[a]!, units[b]!];
        budget.spend(x.length * y.length);
        for (let i = 0; i < x.length; i++) {
          const [size, weight] = [sizes[x[i]!]!, weights[x[i]!]!];
          for (let j = 0; j < y.length; j++) {
            if (sizes[y[j]!] !== size) continue;
            const more = weight - weights[y[j]!]!;
            const levelA = level(a, sums[a]! - more);
            const levelB = level(b, sums[b]! + more);
            const next = uneven(Math.min(low, levelA, levelB), Math.max(high, levelA, levelB));
            if (next >= least || !this.mayTrade(x, i, y, j)) continue;
            least = next;
            this.swap.a = a;
            this.swap.b = b;
            this.swap.i = i;
            this.swap.j = j;
          }
        }
      }
    }
    return least;
  }

  private mayTrade(x: readonly number[], i: number, y: readonly number[], j: number): boolean {
    const { seating } = this;
    if (!seating.arrangement.bound) return true;
    return seating.keeps(x.with(i, y[j]!)) && seating.keeps(y.with(j, x[i]!));
  }
}
