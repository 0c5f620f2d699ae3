import type { Arrangement } from './arrangement.js';
import { differencesDivisor, type Bound } from './bounds.js';

/** What no arrangement can go below: sums share a residue, and the heaviest (or lightest) players weigh on some team. */
export function boundOfMany({ problem, order, weights }: Arrangement): Bound {
  const { teamSizes, objective, bots } = problem;
  const count = teamSizes.length;
  const size = teamSizes[0]!;
  if (bots || teamSizes.some((other) => other !== size)) return { least: 0, reason: 'residue' };
  const scale = objective?.kind === 'mean' ? 1 / size : 1;
  const values = Float64Array.from(order, (i) => weights.values[i]!);
  const total = values.reduce((sum, value) => sum + value, 0);
  const divisor = differencesDivisor(values);
  const reduced = values.reduce((sum, value) => sum + (value - values[0]!), 0);
  const residue = divisor > 0 && Math.abs(reduced / divisor) % count !== 0 ? divisor : 0;
  const n = values.length;
  const sumOf = (from: number, to: number): number =>
    values.slice(from, to).reduce((sum, value) => sum + value, 0);
  // The team of the heaviest weighs at least this, the others share the rest; and the same for the lightest.
  const heavy = values[0]! + sumOf(n - size + 1, n);
  const light = values[n - 1]! + sumOf(0, size - 1);
  // Sums of teams are apart by multiples of the divisor, so the others' average is rounded to what a sum can be.
  const step = divisor || 1;
  const lightest = size * values[n - 1]!;
  const average = (rest: number): number => (rest / (count - 1) - lightest) / step;
  const below = Math.floor(average(total - heavy) + 1e-9) * step + lightest;
  const above = Math.ceil(average(total - light) - 1e-9) * step + lightest;
  const structural = Math.max(heavy - below, above - light, unequalShares(values, count), 0);
  return structural > residue
    ? { least: structural * scale, reason: 'structural' }
    : { least: residue * scale, reason: 'residue' };
}

/**
 * Where the t heaviest cannot be shared out equally, some team has one more of them than another: the least that such a team
 * can weigh, less the most that the other can.
 */
function unequalShares(values: Float64Array, count: number): number {
  const n = values.length;
  const size = n / count;
  const before = new Float64Array(n + 1);
  values.forEach((value, i) => (before[i + 1] = before[i]! + value));
  let most = 0;
  for (let t = 1; t < n; t++) {
    const fewer = Math.floor(t / count);
    const more = Math.ceil(t / count);
    if (fewer === more) continue;
    const lightest = before[t]! - before[t - more]! + before[n]! - before[n - size + more]!;
    const heaviest = before[fewer]! + before[Math.min(n, t + size - fewer)]! - before[t]!;
    if (n - t >= size - fewer && t >= more) most = Math.max(most, lightest - heaviest);
  }
  return most;
}
