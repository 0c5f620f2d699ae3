import type { SkillBelief } from '@muster/domain';
import { sigmoid } from '../maths/logistic.js';
import type { Search } from './search.js';

/**
 * Newcomers are taken as normal near their mean; beyond this many standard deviations the pull back to it no longer grows.
 * Some newcomers are none, and those stand far out. Costs 0.3 % of accuracy where all newcomers are what they seem.
 */
const firm = 3;
/** What lies this far below the top of a log-density does not count. */
const depth = 30;
const points = 200;

/**
 * Where the player stands after the matches so far, and how unsure that is: mean and standard deviation of the level, given
 * everything on record. Newcomers stand about the middle of the range, which is six standard deviations wide; a match is won
 * with log-odds `(level of the player − level that makes it even) / scale`; a draw counts as half a win and half a loss. The
 * density is log-concave, so its top is found by bisection, and the moments by a sum over what lies about the top.
 *
 * @returns a belief to seed the pool's model with; its sigma is above 0 and never above the newcomers' own
 */
export function conclude(search: Search): SkillBelief {
  const middle = search.from + (search.to - search.from) / 2;
  const spread = (search.to - search.from) / 6;
  // In units of the newcomers' spread about their mean, so that the size of the pool's numbers cannot matter.
  const record = search.record.map(({ level, scale, outcome }) => ({
    at: (level - middle) / spread,
    scale: Math.max(1e-6, scale / spread),
    outcome,
  }));
  const slope = (x: number): number =>
    record.reduce(
      (sum, { at, scale, outcome }) => sum + (outcome - sigmoid((x - at) / scale)) / scale,
      -x / Math.hypot(1, x / firm),
    );
  const density = (x: number): number =>
    record.reduce(
      (sum, { at, scale, outcome }) => sum + outcome * ((x - at) / scale) - softplus((x - at) / scale),
      firm * firm * (1 - Math.hypot(1, x / firm)),
    );

  const top = slope(0) > 0 ? edge((x) => slope(x) > 0, 0, 1) : edge((x) => slope(x) < 0, 0, -1);
  const least = density(top) - depth;
  const left = edge((x) => density(x) > least, top, -1);
  const right = edge((x) => density(x) > least, top, 1);
  const { mean, deviation } = moments(density, left, right, least + depth);
  return { mu: middle + spread * mean, sigma: spread * Math.min(1, deviation) };
}

/** Where a condition ceases to hold, going from `start` in a direction in which it must cease. */
function edge(holds: (x: number) => boolean, start: number, direction: 1 | -1): number {
  let reach = 1;
  while (holds(start + direction * reach)) reach *= 2;
  let [near, far] = [0, reach];
  for (let i = 0; i < 60; i++) {
    const middle = (near + far) / 2;
    if (holds(start + direction * middle)) near = middle;
    else far = middle;
  }
  return start + direction * far;
}

function moments(
  logDensity: (x: number) => number,
  left: number,
  right: number,
  top: number,
): { mean: number; deviation: number } {
  let [total, first, second] = [0, 0, 0];
  for (let i = 0; i <= points; i++) {
    const along = i / points;
    const weight = Math.exp(logDensity(left + (right - left) * along) - top);
    total += weight;
    first += weight * along;
    second += weight * along * along;
  }
  const mean = first / total;
  const variance = Math.max(1e-8, second / total - mean * mean);
  return { mean: left + (right - left) * mean, deviation: (right - left) * Math.sqrt(variance) };
}

/** ln(1 + e^x), never overflowing. */
function softplus(x: number): number {
  return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
}
