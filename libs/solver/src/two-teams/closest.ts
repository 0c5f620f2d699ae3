import { stride, type Budget } from '../problem/budget.js';
import { firstOf } from './first-of.js';

/**
 * Finds x − y nearest to `target` in two ascending lists, if nearer than nearest[0]; writes the distance and both indices,
 * including the result so far when time runs out.
 *
 * @throws OutOfTime
 */
export function closest(
  x: Float64Array,
  y: Float64Array,
  target: number,
  nearest: Float64Array,
  budget: Budget,
): boolean {
  return walk(x, y, false, target, nearest, budget);
}

/** The same for x + y. */
export function closestSum(
  x: Float64Array,
  y: Float64Array,
  target: number,
  nearest: Float64Array,
  budget: Budget,
): boolean {
  return walk(x, y, true, target, nearest, budget);
}

/**
 * Walks both lists: forward in x where the pair is below the target, forward in y (backward, for sums) where it is not. The
 * visited pairs include the nearest one.
 *
 * Each step depends on the one before, and the direction is unpredictable. So the step is computed without a branch, and
 * four walks run at once, each along a quarter of the way. The start of a quarter is found by bisection: after this many
 * steps the walk has passed in x those that are below their counterpart in y.
 */
function walk(
  x: Float64Array,
  y: Float64Array,
  isSum: boolean,
  target: number,
  nearest: Float64Array,
  budget: Budget,
): boolean {
  const n = x.length;
  const m = y.length;
  if (n === 0 || m === 0) return false;
  // The walk's index in y is j; it reads y[from + turn · j], with its sign.
  const sign = isSum ? 1 : -1;
  const turn = isSum ? -1 : 1;
  const from = isSum ? m - 1 : 0;
  const isBelow = (i: number, j: number): boolean => x[i]! + sign * y[from + turn * j]! < target;
  const inX = (j: number): number => firstOf(n, (i) => !isBelow(i, j));
  const inY = (i: number): number => firstOf(m, (j) => isBelow(i, j));
  // Steps at the start and at the end that advance in one list alone meet nothing nearer than the last of them.
  const start = Math.max(0, isBelow(0, 0) ? inX(0) - 1 : inY(0) - 1);
  const end = isBelow(n - 1, m - 1) ? n + inY(n - 1) : m + inX(m - 1);
  const after = (steps: number): number => {
    const least = Math.max(0, steps - m);
    return least + firstOf(Math.min(steps, n) - least, (i) => !isBelow(least + i, steps - 1 - least - i));
  };
  const quarter = (end - start) >> 2;
  let i0 = after(start);
  let i1 = after(start + quarter);
  let i2 = after(start + 2 * quarter);
  let i3 = after(start + 3 * quarter);
  let j0 = from + turn * (start - i0);
  let j1 = from + turn * (start + quarter - i1);
  let j2 = from + turn * (start + 2 * quarter - i2);
  let j3 = from + turn * (start + 3 * quarter - i3);
  let best = nearest[0]!;
  let bestX = -1;
  let bestY = 0;
  try {
    for (let left = quarter; left > 0;) {
      // In pieces, so that a deadline is noticed.
      let steps = Math.min(stride >> 2, left);
      left -= steps;
      budget.spend(4 * steps);
      for (; steps > 0; steps--) {
        const off0 = x[i0]! + sign * y[j0]! - target;
        const off1 = x[i1]! + sign * y[j1]! - target;
        const off2 = x[i2]! + sign * y[j2]! - target;
        const off3 = x[i3]! + sign * y[j3]! - target;
        const away0 = Math.abs(off0);
        const away1 = Math.abs(off1);
        const away2 = Math.abs(off2);
        const away3 = Math.abs(off3);
        if (away0 < best) {
          best = away0;
          bestX = i0;
          bestY = j0;
        }
        if (away1 < best) {
          best = away1;
          bestX = i1;
          bestY = j1;
        }
        if (away2 < best) {
          best = away2;
          bestX = i2;
          bestY = j2;
        }
        if (away3 < best) {
          best = away3;
          bestX = i3;
          bestY = j3;
        }
        const below0 = Number(off0 < 0) | 0;
        const below1 = Number(off1 < 0) | 0;
        const below2 = Number(off2 < 0) | 0;
        const below3 = Number(off3 < 0) | 0;
        i0 += below0;
        j0 += turn & (below0 - 1);
        i1 += below1;
        j1 += turn & (below1 - 1);
        i2 += below2;
        j2 += turn & (below2 - 1);
        i3 += below3;
        j3 += turn & (below3 - 1);
      }
    }
    budget.spend((end - start) & 3);
    for (; i3 < n && j3 >= 0 && j3 < m;) {
      const off = x[i3]! + sign * y[j3]! - target;
      const away = Math.abs(off);
      if (away < best) {
        best = away;
        bestX = i3;
        bestY = j3;
      }
      if (off < 0) i3++;
      else j3 += turn;
    }
  } finally {
    if (bestX >= 0) {
      nearest[0] = best;
      nearest[1] = bestX;
      nearest[2] = bestY;
    }
  }
  return bestX >= 0;
}
