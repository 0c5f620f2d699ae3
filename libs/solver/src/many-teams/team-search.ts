import type { Budget } from '../problem/budget.js';
import { sharesOf, type Shares } from '../shares.js';
import { sortedSubsets, type SubsetList } from '../subsets.js';

/** Teams of players' indices into the given values. */
export type Teams = readonly (readonly number[])[];

/** Teams and their unevenness: `value`, such as the largest sum less the smallest, then the sum of squares. */
export interface Evened {
  readonly teams: Teams;
  readonly value: number;
  readonly squares: number;
}

/** Even first; of equally even ones the less varied. */
export function moreEven(a: Evened, b: Evened): number {
  return a.value - b.value || a.squares - b.squares;
}

/** Candidate teams, by their heaviest player. */
interface Candidates {
  /** The start of those of each heaviest player; followed by the end of the last. */
  readonly from: Int32Array;
  /** Bit i: player i is in it, or player `middle` + i. */
  readonly heavy: Int32Array;
  readonly light: Int32Array;
  readonly sums: Float64Array;
}

/** Most candidate teams that are listed. */
const mostCandidates = 400_000;

/**
 * Searches for equal teams of single players whose largest and smallest sum differ by at most a given amount. It lists the
 * candidate teams: those whose sum is near enough to the mean, and to the bounds of the largest and the smallest. They are
 * met in the middle, since a narrow window is a small part of all teams. Then it combines teams that share no player:
 * always one with the heaviest remaining player, as long as the remaining teams can still be near enough. Complete: an
 * arrangement that it does not find does not exist.
 */
export class TeamSearch {
  /** The best found, best first. */
  found: Evened[] = [];
  private readonly size: number;
  private readonly middle: number;
  private readonly total: number;
  private readonly whole: Shares;
  private readonly end: number;
  /** The sets of the heavier and of the lighter half of the players, by size. */
  private halves: readonly (readonly SubsetList[])[] | null = null;
  private most = 0;

  /**
   * @param values whole numbers, heaviest first; at most 62
   * @param count of teams; divides the number of players
   * @param best number of arrangements to find
   * @param mostSteps step limit
   */
  constructor(
    private readonly values: Float64Array,
    private readonly count: number,
    private readonly best: number,
    private readonly budget: Budget,
    mostSteps: number,
  ) {
    this.size = values.length / count;
    this.middle = values.length >> 1;
    this.total = values.reduce((sum, value) => sum + value, 0);
    this.whole = sharesOf(values, values.length, count);
    this.end = budget.operations + mostSteps;
  }

  /**
   * @param most the largest sum less the smallest
   * @returns whether the search was completed; then `found` holds the best there are up to `most`
   * @throws OutOfTime after which `found` holds the result so far
   */
  within(most: number): boolean {
    this.most = most;
    this.found = [];
    const candidates = this.candidates();
    return candidates !== null && this.join(candidates, [], 0, 0, this.total, Infinity, -Infinity, 0);
  }

  /** @returns null when there are too many */
  private candidates(): Candidates | null {
    const { values, size, middle, budget } = this;
    this.halves ??= [values.subarray(0, middle), values.subarray(middle)].map((half) =>
      sortedSubsets([...half], Math.min(size, half.length), budget),
    );
    const heavy: number[] = [];
    const light: number[] = [];
    const sums: number[] = [];
    const [x, y] = this.halves;
    for (const [low, high] of this.windows()) {
      for (let of = 0; of <= size; of++) {
        const [a, b] = [x![of], y![size - of]];
        if (!a || !b) continue;
        let near = b.sums.length;
        for (let i = 0; i < a.sums.length; i++) {
          const sum = a.sums[i]!;
          while (near > 0 && sum + b.sums[near - 1]! > high) near--;
          for (let j = near - 1; j >= 0 && sum + b.sums[j]! >= low; j--) {
            heavy.push(a.codes[i]!);
            light.push(b.codes[j]!);
            sums.push(sum + b.sums[j]!);
          }
          if (sums.length > mostCandidates) return null;
        }
        budget.spend(a.sums.length + b.sums.length);
      }
    }
    budget.spend(2 * sums.length);
    return byHeaviest(heavy, light, sums, values.length, middle);
  }

  /**
   * The range of any team's sum. All lie within `most` around their mean, of the largest's least and of the smallest's
   * most. Where some teams have to be heavier than the others by almost `most`, they can exceed their least mean only by
   * the remainder, and fall below it only by its multiple for each of their kind; the same holds for the others.
   */
  private windows(): (readonly [number, number])[] {
    const { count, total, most, whole } = this;
    const { teams, above, below } = whole.furthest;
    const reach = (most * (count - 1)) / count;
    // Half a quantum of room: means are rounded, sums are whole.
    const low = Math.max(total / count - reach, whole.largest - most) - 0.5;
    const high = Math.min(total / count + reach, whole.smallest + most) + 0.5;
    const rest = Math.max(0, most - (above - below));
    const apart = [
      [below - rest - 0.5, below + (count - teams - 1) * rest + 0.5],
      [above - (teams - 1) * rest - 0.5, above + rest + 0.5],
    ] as const;
    const windows = apart[0][1] >= apart[1][0] ? [[apart[0][0], apart[1][1]] as const] : apart;
    return windows.map(([from, to]) => [Math.max(low, from), Math.min(high, to)] as const);
  }

  /**
   * Adds the next team to the chosen ones.
   *
   * @param heavy,light players on a team already, as bits
   * @param total of the remaining players
   * @returns false at the step limit
   */
  private join(
    candidates: Candidates,
    chosen: number[],
    heavy: number,
    light: number,
    total: number,
    low: number,
    high: number,
    squares: number,
  ): boolean {
    const { count, middle, budget } = this;
    const open = count - chosen.length;
    const free = ~heavy & (2 ** middle - 1);
    const first = free === 0 ? middle + firstBit(~light) : firstBit(free);
    const end = candidates.from[first + 1]!;
    const start = candidates.from[first]!;
    budget.spend(end - start + 1);
    if (budget.operations > this.end) return false;
    for (let at = start; at < end; at++) {
      if ((candidates.heavy[at]! & heavy) !== 0 || (candidates.light[at]! & light) !== 0) continue;
      const sum = candidates.sums[at]!;
      const lowest = Math.min(low, sum);
      const highest = Math.max(high, sum);
      if (highest - lowest > this.most) continue;
      const left = total - sum;
      const added = squares + (sum / count) * sum;
      chosen.push(at);
      const [nextHeavy, nextLight] = [heavy | candidates.heavy[at]!, light | candidates.light[at]!];
      if (open === 2) {
        this.keep(candidates, chosen, nextHeavy, nextLight, left, lowest, highest, added);
      } else if (
        this.canBeNear(nextHeavy, nextLight, left, open - 1, lowest, highest) &&
        !this.join(candidates, chosen, nextHeavy, nextLight, left, lowest, highest, added)
      ) {
        return false;
      }
      chosen.pop();
    }
    return true;
  }

  /**
   * Whether teams of the remaining players can be near enough to the chosen ones, by their mean and by how the heaviest are
   * shared.
   */
  private canBeNear(
    heavy: number,
    light: number,
    total: number,
    open: number,
    low: number,
    high: number,
  ): boolean {
    const reach = this.most + 0.5;
    if (total / open < high - reach || total / open > low + reach) return false;
    const { values, middle, budget } = this;
    const left = scratch;
    let n = 0;
    for (let i = 0; i < values.length; i++) {
      const isTaken = i < middle ? (heavy >>> i) & 1 : (light >>> (i - middle)) & 1;
      if (!isTaken) left[n++] = values[i]!;
    }
    budget.spend(n * open);
    const { largest, smallest } = sharesOf(left, n, open);
    return Math.max(high, largest) - Math.min(low, smallest) <= reach;
  }

  /** The last team takes all remaining players. */
  private keep(
    candidates: Candidates,
    chosen: readonly number[],
    heavy: number,
    light: number,
    last: number,
    low: number,
    high: number,
    squares: number,
  ): void {
    const value = Math.max(high, last) - Math.min(low, last);
    if (value > this.most) return;
    const { found, best, count } = this;
    const all = squares + (last / count) * last;
    if (found.length === best && moreEven(found[best - 1]!, { teams: [], value, squares: all }) <= 0) return;
    const teams = [
      ...chosen.map((at) => this.membersOf(candidates.heavy[at]!, candidates.light[at]!)),
      this.membersOf(~heavy, ~light),
    ];
    const evened: Evened = { teams, value, squares: all };
    let to = found.length;
    while (to > 0 && moreEven(found[to - 1]!, evened) > 0) to--;
    found.splice(to, 0, evened);
    if (found.length > best) found.pop();
    if (found.length === best) this.most = found[best - 1]!.value;
  }

  private membersOf(heavy: number, light: number): number[] {
    const { values, middle } = this;
    const members: number[] = [];
    for (let i = 0; i < values.length; i++)
      if (i < middle ? (heavy >>> i) & 1 : (light >>> (i - middle)) & 1) members.push(i);
    return members;
  }
}

/** Weights of the remaining players, heaviest first. */
const scratch = new Float64Array(64);

function firstBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function byHeaviest(
  heavy: readonly number[],
  light: readonly number[],
  sums: readonly number[],
  players: number,
  middle: number,
): Candidates {
  const first = Int32Array.from(heavy, (bits, i) =>
    bits === 0 ? middle + firstBit(light[i]!) : firstBit(bits),
  );
  const from = new Int32Array(players + 2);
  for (const player of first) from[player + 1]!++;
  for (let i = 1; i < from.length; i++) from[i]! += from[i - 1]!;
  const next = from.slice();
  const sorted = {
    from,
    heavy: new Int32Array(sums.length),
    light: new Int32Array(sums.length),
    sums: new Float64Array(sums.length),
  };
  first.forEach((player, i) => {
    const at = next[player]!++;
    sorted.heavy[at] = heavy[i]!;
    sorted.light[at] = light[i]!;
    sorted.sums[at] = sums[i]!;
  });
  return sorted;
}
