import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget } from './problem/budget.js';
import { closest, closestSum } from './two-teams/closest.js';
import { Shortlist, valueOf, type Core } from './two-teams/core.js';
import { meet } from './two-teams/meet.js';
import { meetSums } from './two-teams/meet-sums.js';
import { merged } from './two-teams/merge.js';
import { split } from './split.js';

const unlimited = (): Budget => new Budget({});

/** Ascending whole numbers, with many equal ones, or far apart. */
const lists = (minLength: number): fc.Arbitrary<Float64Array> =>
  fc
    .oneof(fc.constant(3), fc.constant(60), fc.constant(2 ** 50))
    .chain((max) => fc.array(fc.integer({ min: -max, max }), { minLength, maxLength: 90 }))
    .map((list) => Float64Array.from(list).sort());

describe('two sorted lists', () => {
  it('merge as sorting does', () => {
    const moves = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(lists(0), lists(0), moves, moves, (x, y, addX, addY) => {
        const all = [...x.map((value) => value + addX), ...y.map((value) => value + addY)];

        expect([...merged(x, addX, y, addY, unlimited())]).toEqual(all.sort((a, b) => a - b));
      }),
      { numRuns: 250 },
    );
  });

  it.each([
    ['sum', closestSum, 1],
    ['difference', closest, -1],
  ] as const)('are walked to the %s nearest to a target, for any cut into four walks', (_, walk, sign) => {
    const targets = fc.oneof(
      fc.integer({ min: -130, max: 130 }),
      fc.double({ min: -200, max: 200, noNaN: true }),
    );
    fc.assert(
      fc.property(lists(1), lists(1), targets, (x, y, target) => {
        const nearest = new Float64Array([Infinity, -1, -1]);
        expect(walk(x, y, target, nearest, unlimited())).toBe(true);
        const [distance = NaN, i = -1, j = -1] = nearest;
        let least = Infinity;
        for (const a of x) for (const b of y) least = Math.min(least, Math.abs(a + sign * b - target));

        expect(distance).toBe(least);
        expect(Math.abs(x[i]! + sign * y[j]! - target)).toBe(least);
        // Nothing is nearer than the nearest.
        expect(walk(x, y, target, nearest, unlimited())).toBe(false);
      }),
      { numRuns: 250 },
    );
  });
});

describe('meeting by sums alone', () => {
  it('finds as good a split as meeting with masks, whichever atoms are kept apart', () => {
    const pools = fc
      .tuple(
        fc.array(fc.integer({ min: -500, max: 900 }), { minLength: 8, maxLength: 13 }),
        fc.nat(),
        fc.nat(2),
        fc.boolean(),
      )
      .map(([list, at, apart, isWhole]) => {
        const size = 1 + (at % (list.length - 1));
        return { list, apart, size, target: isWhole ? 0 : 7.5 };
      });
    fc.assert(
      fc.property(pools, ({ list, apart, size, target }) => {
        const core: Core = {
          atoms: list.map((gain) => ({ gain, here: 1, there: 0 })),
          laneOf: (key) => (key === size ? { target, scale: 0.5 } : null),
          accepts: null,
          mirrored: 2 * size === list.length && target === 0,
        };
        const shortlist = new Shortlist(1);
        meet(core, shortlist, -1, unlimited());
        const middle = (list.length >> 1) + 1;
        const sides = new Uint8Array(list.length);
        meetSums(
          core.atoms.slice(0, middle),
          core.atoms.slice(middle),
          core.mirrored,
          core.laneOf,
          Infinity,
          unlimited(),
          (left, right) => {
            sides.forEach((__, i) => (sides[i] = (i < middle ? left >>> i : right >>> (i - middle)) & 1));
          },
          apart,
        );

        expect(valueOf(core, sides)).toBe(shortlist.items[0]?.value);
      }),
      { numRuns: 170 },
    );
  });

  it('proves 48 doubles within the default memory limit', () => {
    const players = Array.from({ length: 48 }, (_, i) => {
      const wild = Math.sin((i + 1) * 12.9898) * 43_758.545_3;
      return { id: `p${i}`, weight: 1_000 + 600 * (wild - Math.floor(wild)) };
    });

    expect(split({ players, teamSizes: [24, 24] })).toMatchObject({
      certificate: { status: 'proven' },
      method: 'meet-in-the-middle',
    });
  });
});
