import type { Arrangement } from './arrangement.js';
import { differencesDivisor, type Bound } from '../two-teams/bounds.js';
import { sharesOf } from '../shares.js';

/** Lower bounds of all arrangements: sums share a residue, and some team has to take the heaviest (or lightest) players. */
export function boundOfMany({ problem, order, weights }: Arrangement): Bound {
  const { teamSizes, objective, bots } = problem;
  const count = teamSizes.length;
  const size = teamSizes[0]!;
  if (bots || teamSizes.some((other) => other !== size)) return { least: 0, reason: 'residue' };
  const scale = objective?.kind === 'mean' ? 1 / size : 1;
  const values = Float64Array.from(order, (i) => weights.values[i]!);
  const divisor = differencesDivisor(values);
  const residue = residueOf(values, count, divisor);
  const { largest, smallest } = sharesOf(values, values.length, count);
  // Sums of teams differ by multiples of the divisor, so both are rounded to possible sums.
  const step = divisor || 1;
  const lightest = size * values[values.length - 1]!;
  const steps = (sum: number): number => (sum - lightest) / step;
  const structural = (Math.ceil(steps(largest) - 1e-9) - Math.floor(steps(smallest) + 1e-9)) * step;
  return structural > residue
    ? { least: structural * scale, reason: 'structural' }
    : { least: residue * scale, reason: 'residue' };
}

/**
 * The bound by the divisor of all differences of weights: sums differ by multiples of it. They cannot all be equal unless
 * the steps can be shared equally, and not differ by one step only where too few players are an odd number of steps away to
 * make the required odd sums, or too few an even number to make the even ones.
 *
 * @param values heaviest first
 */
function residueOf(values: Float64Array, count: number, divisor: number): number {
  if (divisor === 0) return 0;
  const lightest = values[values.length - 1]!;
  let total = 0;
  let odd = 0;
  for (const value of values) {
    const steps = (value - lightest) / divisor;
    total += steps;
    odd += steps % 2;
  }
  const even = values.length - odd;
  const size = values.length / count;
  const over = total % count;
  // This many teams would have a step more than the others.
  const isFloorOdd = Math.floor(total / count) % 2 === 1;
  const oddSums = isFloorOdd ? count - over : over;
  const fromEven = size % 2 === 0 ? oddSums : count - oddSums;
  if (oddSums > odd || fromEven > even) return 2 * divisor;
  return over === 0 ? 0 : divisor;
}
