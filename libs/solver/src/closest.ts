import { stride, type Budget } from './budget.js';

/**
 * Finds x − y nearest to `target` in two ascending lists, if nearer than nearest[0]; writes the distance and both places,
 * also of what was found when time runs out. Which list to go on in cannot be foreseen, so the step is computed, not
 * branched on.
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
  const n = x.length;
  const m = y.length;
  let best = nearest[0]!;
  let bestX = -1;
  let bestY = 0;
  let i = 0;
  let j = 0;
  try {
    while (i < n && j < m) {
      // In pieces, so that a deadline is noticed.
      let steps = Math.min(stride, n - i + m - j);
      budget.spend(steps);
      for (; steps > 0 && i < n && j < m; steps--) {
        const off = x[i]! - target - y[j]!;
        const distance = Math.abs(off);
        if (distance < best) {
          best = distance;
          bestX = i;
          bestY = j;
        }
        const ahead = Number(off < 0) | 0;
        i += ahead;
        j += 1 - ahead;
      }
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
