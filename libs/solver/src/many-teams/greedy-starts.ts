import type { Random } from '@muster/domain';
import type { BestTeams } from './arrangement.js';
import type { Budget } from '../problem/budget.js';
import type { Seating } from './seating.js';

/** Overhead of a look at two teams, in steps. */
const stepsPerPair = 4;

/**
 * Greedy starts in random order: the groups, large ones first and those of one size in random order, each join the lightest
 * team with room. Then groups of one size are swapped until no swap helps: one helps if it brings both teams between the
 * highest and the lowest level. The swap of the highest and the lowest team is tried first, then that of either with another.
 *
 * A start takes some ten microseconds: loops allocate nothing, and the first pair with a swap that helps is taken.
 */
export class GreedyStarts {
  private readonly order: Int32Array;
  private readonly room: Int32Array;
  /** The last swap found: indices into the units of its teams. */
  private first = -1;
  private second = -1;

  constructor(
    private readonly seating: Seating,
    private readonly random: Random,
  ) {
    this.order = Int32Array.from(seating.sizes, (_, unit) => unit);
    this.room = new Int32Array(seating.sums.length);
  }

  /**
   * @returns whether every group found room, and the constraints are kept
   * @throws OutOfTime after which the teams so far were offered
   */
  start(list: BestTeams, budget: Budget): boolean {
    const { seating } = this;
    if (!this.place(budget)) return false;
    if (seating.arrangement.bound && !seating.units.every((units) => seating.keeps(units))) return false;
    try {
      while (this.improve(budget));
    } finally {
      if (seating.value() < list.threshold) seating.offer(seating.units, list);
    }
    return true;
  }

  /** @returns false when a group found no room */
  private place(budget: Budget): boolean {
    const { seating, order, room } = this;
    const { sizes, sums, weights, levels, factors, offsets } = seating;
    const { teamSizes } = seating.arrangement.problem;
    const count = sums.length;
    this.shuffle();
    seating.clear();
    for (let t = 0; t < count; t++) {
      room[t] = teamSizes[t]!;
      levels[t] = offsets[t]!;
    }
    budget.spend(order.length * count);
    for (let at = 0; at < order.length; at++) {
      const unit = order[at]!;
      const size = sizes[unit]!;
      let best = -1;
      let least = Infinity;
      for (let t = 0; t < count; t++) {
        if (room[t]! < size || levels[t]! >= least) continue;
        least = levels[t]!;
        best = t;
      }
      if (best < 0) return false;
      seating.units[best]!.push(unit);
      sums[best]! += weights[unit]!;
      levels[best] = offsets[best]! + factors[best]! * sums[best]!;
      room[best]! -= size;
    }
    return true;
  }

  /** Groups come largest first; those of one size change places. */
  private shuffle(): void {
    const { order, random } = this;
    const { sizes } = this.seating;
    let to = 0;
    for (let from = 0; from < order.length; from = to) {
      to = from + 1;
      while (to < order.length && sizes[order[to]!] === sizes[order[from]!]) to++;
      for (let at = to - 1; at > from; at--) {
        const other = from + Math.floor(random() * (at - from + 1));
        const unit = order[at]!;
        order[at] = order[other]!;
        order[other] = unit;
      }
    }
  }

  /** @returns whether a swap was made */
  private improve(budget: Budget): boolean {
    const { levels } = this.seating;
    let high = 0;
    let low = 0;
    for (let t = 1; t < levels.length; t++) {
      if (levels[t]! > levels[high]!) high = t;
      if (levels[t]! < levels[low]!) low = t;
    }
    if (high === low) return false;
    const most = levels[high]!;
    const least = levels[low]!;
    if (this.swap(high, low, most, least, budget)) return true;
    for (let t = 0; t < levels.length; t++) {
      if (t === high || t === low) continue;
      if (this.swap(high, t, most, least, budget) || this.swap(t, low, most, least, budget)) return true;
    }
    return false;
  }

  /** Makes the swap that brings two teams closest, if both levels are then between `most` and `least`. */
  private swap(a: number, b: number, most: number, least: number, budget: Budget): boolean {
    const { units, sums, levels, factors, offsets, sizes, weights } = this.seating;
    const x = units[a]!;
    const y = units[b]!;
    budget.spend(stepsPerPair + x.length * y.length);
    const wanted = (levels[a]! - levels[b]!) / (factors[a]! + factors[b]!);
    let nearest = wanted;
    let more = 0;
    for (let i = 0; i < x.length; i++) {
      const size = sizes[x[i]!]!;
      const weight = weights[x[i]!]!;
      for (let j = 0; j < y.length; j++) {
        const gain = weight - weights[y[j]!]!;
        const off = Math.abs(gain - wanted);
        if (off >= nearest || sizes[y[j]!] !== size || !this.mayTrade(x, i, y, j)) continue;
        nearest = off;
        more = gain;
        this.first = i;
        this.second = j;
      }
    }
    if (more <= 0) return false;
    const levelA = offsets[a]! + factors[a]! * (sums[a]! - more);
    const levelB = offsets[b]! + factors[b]! * (sums[b]! + more);
    if (levelA <= least || levelB <= least || levelA >= most || levelB >= most) return false;
    const going = x[this.first]!;
    x[this.first] = y[this.second]!;
    y[this.second] = going;
    sums[a]! -= more;
    sums[b]! += more;
    levels[a] = levelA;
    levels[b] = levelB;
    return true;
  }

  private mayTrade(x: readonly number[], i: number, y: readonly number[], j: number): boolean {
    const { seating } = this;
    if (!seating.arrangement.bound) return true;
    return seating.keeps(x.with(i, y[j]!)) && seating.keeps(y.with(j, x[i]!));
  }
}
