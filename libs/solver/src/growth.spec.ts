import { seededRandom, type Random } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import type { PoolPlayer } from './problem/problem.js';
import { split } from './split.js';
import { splits } from './splits.js';

/**
 * Growth without a clock: operations count the steps of the inner loops and are the same on every machine. Doubles, since
 * problems with whole numbers mostly end before the work grows.
 */
const pools = 10;
/** For four players more. Meeting in the middle takes 2^(N/2), three ways per player 3^(N/2): 4 and 9 times. */
const mostForOneSplit = 5;
const mostForEverySize = 12;

function players(n: number, seed: number): PoolPlayer[] {
  const random = seededRandom(1_000 * n + seed);
  return Array.from({ length: n }, (_, i) => ({ id: `p${i}`, weight: 1_000 + 600 * normal(random) }));
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

interface Work {
  readonly operations: number;
  readonly proven: boolean;
  readonly methods: readonly string[];
}

function splitOnce(n: number, seed: number): Work {
  const answer = split({ players: players(n, seed), teamSizes: [n / 2, n / 2] });
  if (answer.outcome === 'refused') throw new Error(answer.message);
  const { operations, certificate, method } = answer;
  return { operations, proven: certificate.status === 'proven', methods: [method] };
}

function splitEverySize(bench: 'anyone' | 'top-plays'): (n: number, seed: number) => Work {
  return (n, seed) => {
    const answer = splits({ players: players(n, seed), bench });
    if (answer.outcome === 'refused') throw new Error(answer.message);
    const { operations, splits: found } = answer;
    return {
      operations,
      proven: found.every(({ certificate }) => certificate.status === 'proven'),
      methods: found.map(({ method }) => method),
    };
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

describe.each([
  {
    name: 'one split',
    solve: splitOnce,
    sizes: [24, 28, 32],
    most: mostForOneSplit,
    way: 'meet-in-the-middle',
  },
  ...(['top-plays', 'anyone'] as const).map((bench) => ({
    name: `every size, ${bench}`,
    solve: splitEverySize(bench),
    sizes: [16, 20, 24],
    most: mostForEverySize,
    way: 'ternary-meet-in-the-middle',
  })),
])('the work of $name of doubles', ({ solve, sizes, most, way }) => {
  it(`grows at most ${most} times with four players more, and all is proven`, { timeout: 60_000 }, () => {
    const bySize = sizes.map((n) => Array.from({ length: pools }, (_, seed) => solve(n, seed)));
    const medians = bySize.map((works) => medianOf(works.map(({ operations }) => operations)));

    expect(bySize.flat().every(({ proven }) => proven)).toBe(true);
    // If a cheaper method answered, the growth would say nothing about the exact one.
    expect(bySize.every((works) => works.every(({ methods }) => methods.includes(way)))).toBe(true);
    medians.slice(1).forEach((median, i) => {
      expect(median / (medians[i] ?? NaN)).toBeLessThanOrEqual(most);
    });
  });
});
