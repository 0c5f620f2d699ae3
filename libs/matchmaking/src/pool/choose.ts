/** Candidate matches along a lane, by the place where each starts, in rising order. */
export interface Intervals {
  readonly count: number;
  /** First and last place of each. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly worth: Float64Array;
}

/**
 * Chooses the disjoint intervals with the largest total value: weighted interval scheduling by dynamic programming from the
 * back (Kleinberg & Tardos 2006, 6.1). Exact, and linear, since the intervals come in the order of their start.
 *
 * @param places number of places in the lane
 * @returns indices into the intervals, rising
 */
export function chooseIntervals({ count, from, to, worth }: Intervals, places: number): number[] {
  // The best value of intervals from the i-th on; the first interval that starts after a place.
  const best = new Float64Array(count + 1);
  const after = new Int32Array(places + 1);
  let next = count;
  for (let place = places; place >= 0; place--) {
    while (next > 0 && from[next - 1]! >= place) next--;
    after[place] = next;
  }
  for (let i = count - 1; i >= 0; i--)
    best[i] = Math.max(best[i + 1]!, worth[i]! + best[after[to[i]! + 1]!]!);
  const chosen: number[] = [];
  for (let i = 0; i < count;) {
    const taken = worth[i]! + best[after[to[i]! + 1]!]!;
    if (taken > best[i + 1]!) {
      chosen.push(i);
      i = after[to[i]! + 1]!;
    } else i++;
  }
  return chosen;
}
