/** Bounds on the sums of equal teams of some players. */
export interface Shares {
  /** The largest sum is at least this. */
  readonly largest: number;
  /** The smallest sum is at most this. */
  readonly smallest: number;
  /** Of all ways to share the heaviest, the one that sets sums furthest apart. */
  readonly furthest: Apart;
}

/** Some teams that have more of the heaviest than the others: their least mean weight, and the greatest of the others. */
interface Apart {
  readonly teams: number;
  readonly above: number;
  readonly below: number;
}

/**
 * Where the t heaviest cannot be shared equally, some j teams have more than their share of them: together at least j times
 * the equal share, rounded down, and one more for each left over. Filled up with the lightest available, that is the least
 * those j teams can weigh together; so their largest weighs at least a jth of it, and the others have the rest.
 *
 * @param values heaviest first, of which the first `players` count
 * @param count of teams; divides the number of players
 */
export function sharesOf(values: Float64Array, players: number, count: number): Shares {
  const size = players / count;
  let total = 0;
  for (let i = 0; i < players; i++) {
    before[i] = total;
    total += values[i]!;
  }
  before[players] = total;
  let largest = total / count;
  let smallest = largest;
  let teams = 1;
  let above = largest;
  let below = largest;
  for (let t = 1; t < players; t++) {
    const each = Math.floor(t / count);
    const over = t - each * count;
    if (over === 0) continue;
    for (let j = 1; j < count; j++) {
      const heavy = j * each + Math.min(j, over);
      const light = j * size - heavy;
      // With too few others the j teams have more of the heaviest still; then this t gives no bound.
      if (light < 0 || light > players - t) continue;
      const least = before[t]! - before[t - heavy]! + total - before[players - light]!;
      if (least > largest * j) largest = least / j;
      if (total - least < smallest * (count - j)) smallest = (total - least) / (count - j);
      if (least / j - (total - least) / (count - j) <= above - below) continue;
      teams = j;
      above = least / j;
      below = (total - least) / (count - j);
    }
  }
  return { largest, smallest, furthest: { teams, above, below } };
}

/** Prefix sums of the heaviest. */
const before = new Float64Array(1_024);
