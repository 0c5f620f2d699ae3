import { stride, type Budget } from '../problem/budget.js';
import { firstOf } from './first-of.js';

const noRoom = new Float64Array(0);

/**
 * Merges two ascending lists of whole numbers, each shifted by a number, into one.
 *
 * The next list is unpredictable, so the choice is computed without a branch: the lesser is taken by a product with 0 or 1,
 * which is exact for whole numbers below 2^51. As each step depends on the one before, two merges run at once, each over
 * half of the numbers up to where one list ends.
 *
 * @param room buffer for the merged list; allocated again when it is too short
 * @throws OutOfTime
 */
export function merged(
  x: Float64Array,
  addX: number,
  y: Float64Array,
  addY: number,
  budget: Budget,
  room: Float64Array = noRoom,
): Float64Array {
  const n = x.length;
  const m = y.length;
  const into = room.length < n + m ? new Float64Array(n + m) : room.subarray(0, n + m);
  const isFirst = (i: number, j: number): boolean => x[i]! + addX <= y[j]! + addY;
  const half = n === 0 || m === 0 ? 0 : bothLast(n, m, isFirst) >> 1;
  const least = Math.max(0, half - m);
  let i = 0;
  let j = 0;
  let to = 0;
  let k = least + firstOf(Math.min(half, n) - least, (at) => !isFirst(least + at, half - 1 - least - at));
  let l = half - k;
  let on = half;
  while (to < half) {
    // In pieces, so that a deadline is noticed.
    const end = Math.min(to + (stride >> 1), half);
    budget.spend(2 * (end - to));
    for (; to < end; to++, on++) {
      const p = x[i]! + addX;
      const q = y[j]! + addY;
      const r = x[k]! + addX;
      const s = y[l]! + addY;
      const first = Number(p <= q) | 0;
      const second = Number(r <= s) | 0;
      into[to] = q + (p - q) * first;
      into[on] = s + (r - s) * second;
      i += first;
      j += 1 - first;
      k += second;
      l += 1 - second;
    }
  }
  budget.spend(n + m - on);
  for (; k < n && l < m; on++) into[on] = isFirst(k, l) ? x[k++]! + addX : y[l++]! + addY;
  while (k < n) into[on++] = x[k++]! + addX;
  while (l < m) into[on++] = y[l++]! + addY;
  return into;
}

/** Number of elements merged until one of the lists ends. */
export function bothLast(n: number, m: number, isFirst: (i: number, j: number) => boolean): number {
  return isFirst(n - 1, m - 1)
    ? n + firstOf(m, (j) => isFirst(n - 1, j))
    : m + firstOf(n, (i) => !isFirst(i, m - 1));
}
