import type { Budget } from './budget.js';

/** Teams of players' indices into the values given. */
export type Teams = readonly (readonly number[])[];

/** Teams and how uneven they are: `value`, such as the largest sum less the smallest, then the sum of squares. */
export interface Evened {
  readonly teams: Teams;
  readonly value: number;
  readonly squares: number;
}

/** Even first; of equally even ones the less varied. */
export function moreEven(a: Evened, b: Evened): number {
  return a.value - b.value || a.squares - b.squares;
}

/**
 * Searches for equal teams of lone players whose largest and smallest sum differ by at most `most`: team after team, each led
 * by the heaviest player left, its mates chosen among the rest so that its sum stays within reach of what the teams before
 * and the average of those to come allow. Complete: what it does not find does not exist.
 */
export class TeamSearch {
  /** The best found, best first. */
  readonly found: Evened[] = [];
  private readonly size: number;
  private readonly chosen: number[][] = [];
  private readonly end: number;

  /**
   * @param values whole numbers, heaviest first
   * @param count of teams; divides the number of players
   * @param best how many are wanted
   * @param mostSteps after which it gives up
   */
  constructor(
    private readonly values: Float64Array,
    private readonly count: number,
    private most: number,
    private readonly best: number,
    private readonly budget: Budget,
    mostSteps: number,
  ) {
    this.size = values.length / count;
    this.end = budget.operations + mostSteps;
  }

  /**
   * @returns whether the search was completed; then `found` holds the best there are up to `most`
   * @throws OutOfTime
   */
  run(): boolean {
    const all = Array.from(this.values, (_, i) => i);
    const total = this.values.reduce((sum, value) => sum + value, 0);
    return this.team(all, total, Infinity, -Infinity, 0);
  }

  /** Forms the next team of those left. @returns false when the steps were used up */
  private team(left: readonly number[], total: number, low: number, high: number, squares: number): boolean {
    const { values, count, size, chosen } = this;
    const open = count - chosen.length;
    if (open === 1) {
      this.keep({
        teams: [...chosen.map((team) => [...team]), [...left]],
        value: Math.max(high, total) - Math.min(low, total),
        squares: squares + (total / count) * total,
      });
      return true;
    }
    const mates = left.slice(1);
    const n = mates.length;
    const before = new Float64Array(n + 1);
    mates.forEach((mate, i) => (before[i + 1] = before[i]! + values[mate]!));
    const picked: number[] = [left[0]!];
    const pick = (from: number, need: number, sum: number): boolean => {
      if (need === 0) return this.next(left, picked, total, low, high, squares, sum);
      // Half a quantum of room: averages are rounded, sums are whole.
      const floor = Math.max(high, total / open) - this.most - 0.5;
      const ceiling = Math.min(low, total / open) + this.most + 0.5;
      for (let i = from; i <= n - need; i++) {
        this.budget.spend(1);
        if (this.budget.operations > this.end) return false;
        // The heaviest that can still come are next, the lightest are last.
        if (sum + before[i + need]! - before[i]! < floor) break;
        if (sum + values[mates[i]!]! + before[n]! - before[n - need + 1]! > ceiling) continue;
        picked.push(mates[i]!);
        const goesOn = pick(i + 1, need - 1, sum + values[mates[i]!]!);
        picked.pop();
        if (!goesOn) return false;
      }
      return true;
    };
    return pick(0, size - 1, values[left[0]!]!);
  }

  private next(
    left: readonly number[],
    picked: readonly number[],
    total: number,
    low: number,
    high: number,
    squares: number,
    sum: number,
  ): boolean {
    const lowest = Math.min(low, sum);
    const highest = Math.max(high, sum);
    const average = (total - sum) / (this.count - this.chosen.length - 1);
    const reach = this.most + 0.5;
    if (average < highest - reach || average > lowest + reach) return true;
    const members = new Set(picked);
    this.chosen.push([...picked]);
    const rest = left.filter((player) => !members.has(player));
    const goesOn = this.team(rest, total - sum, lowest, highest, squares + (sum / this.count) * sum);
    this.chosen.pop();
    return goesOn;
  }

  private keep(teams: Evened): void {
    if (teams.value > this.most) return;
    const { found, best } = this;
    let at = found.length;
    while (at > 0 && moreEven(found[at - 1]!, teams) > 0) at--;
    found.splice(at, 0, teams);
    if (found.length > best) found.pop();
    if (found.length === best) this.most = found[best - 1]!.value;
  }
}
