import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundOf } from './two-teams/bounds.js';
import { Budget, OutOfTime } from './problem/budget.js';
import { differenceOf, Shortlist, valueOf, type Core } from './two-teams/core.js';
import { balancedDifferencing } from './two-teams/differencing.js';
import { draw } from './problem/draw.js';
import { bestByCounting } from './two-teams/dynamic.js';
import { meet } from './two-teams/meet.js';
import { erf } from './problem/normal.js';
import { quantise } from './problem/quantise.js';
import { reach, trace, waysOf } from './two-teams/reach.js';
import { membersOf, sortedSubsets } from './subsets.js';
import { TeamSearch } from './many-teams/team-search.js';
import { finderOf, meetThree, threeWays, type PoolItem } from './pools/ternary.js';

const unlimited = (): Budget => new Budget({});

/** Single players, `size` of them on the first team. */
function players(weights: readonly number[], size: number): Core {
  return {
    atoms: weights.map((gain) => ({ gain, here: 1, there: 0 })),
    laneOf: (key) => (key === size ? { target: 0, scale: 1 } : null),
    accepts: null,
    mirrored: 2 * size === weights.length,
  };
}

/** Every split's value, sorted: the reference solution. */
function allValues(core: Core): number[] {
  const n = core.atoms.length;
  const values: number[] = [];
  for (let mask = 0; mask < 1 << n; mask++) {
    if (core.mirrored && !(mask & 1)) continue;
    const value = valueOf(
      core,
      Uint8Array.from(core.atoms, (_, i) => (mask >> i) & 1),
    );
    if (value !== null) values.push(value);
  }
  return values.sort((a, b) => a - b);
}

const weights = (max: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: -max, max }), { minLength: 2, maxLength: 11 });
const pools = fc.tuple(fc.oneof(weights(5), weights(100), weights(100_000)), fc.nat()).map(([list, at]) => ({
  list: list.toSorted((a, b) => b - a),
  size: 1 + (at % (list.length - 1)),
}));

describe('meeting in the middle', () => {
  it('finds the best K, distinct, as the reference solution does', () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 12 }), ({ list, size }, best) => {
        const core = players(list, size);
        const shortlist = new Shortlist(best);
        meet(core, shortlist, -1, unlimited());
        expect(shortlist.items.map((item) => item.value)).toEqual(allValues(core).slice(0, best));
        expect(new Set(shortlist.items.map((item) => item.sides.join(''))).size).toBe(shortlist.items.length);
        for (const { value, sides } of shortlist.items) expect(valueOf(core, sides)).toBe(value);
      }),
      { numRuns: 200 },
    );
  });

  it('places some atoms optimally while others keep their side', () => {
    fc.assert(
      fc.property(pools, fc.nat(1 << 11), fc.nat(1 << 11), ({ list, size }, mask, freeMask) => {
        const core = players(list, size);
        const sides = Uint8Array.from(list, (_, i) => (mask >> i) & 1);
        const free = list.flatMap((_, i) => ((freeMask >> i) & 1 ? [i] : []));
        const shortlist = new Shortlist(1);
        meet({ ...core, mirrored: false }, shortlist, -1, unlimited(), { sides, free });
        let least: number | null = null;
        for (let way = 0; way < 1 << free.length; way++) {
          const tried = sides.slice();
          free.forEach((atom, bit) => (tried[atom] = (way >> bit) & 1));
          const value = valueOf(core, tried);
          if (value !== null && (least === null || value < least)) least = value;
        }
        expect(shortlist.items[0]?.value ?? null).toBe(least);
      }),
      { numRuns: 100 },
    );
  });

  it('stops in time, at any point', () => {
    const core = players(
      Array.from({ length: 44 }, (_, i) => 1e9 + i ** 5),
      22,
    );
    for (const looks of [1, 2, 20, 100]) {
      let now = 0;
      const budget = new Budget({ deadline: { now: () => ++now, at: looks } });
      expect(() => meet(core, new Shortlist(1), -1, budget)).toThrow(OutOfTime);
      expect(now).toBe(looks);
      expect(budget.operations).toBeLessThanOrEqual(2 * looks * 16_384 + 16_384);
    }
  });
});

describe('counting', () => {
  it('finds what meeting in the middle finds', () => {
    fc.assert(
      fc.property(pools, ({ list, size }) => {
        const core = players(list, size);
        const sides = bestByCounting(core, size, unlimited());
        expect(valueOf(core, sides)).toBe(allValues(core)[0]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('balanced differencing', () => {
  it('keeps the numbers even and is never worse than all on one side of each pair', () => {
    fc.assert(
      fc.property(pools, ({ list }) => {
        const core = players(list, Math.ceil(list.length / 2));
        const sides = balancedDifferencing(core.atoms);
        expect(sides.reduce((sum, side) => sum + side, 0)).toBe(Math.ceil(list.length / 2));
        let naive = 0;
        for (let i = 0; i + 1 < list.length; i += 2) naive += list[i]! - list[i + 1]!;
        const odd = list.length % 2 === 1 ? Math.abs(list[list.length - 1]!) : 0;
        expect(Math.abs(differenceOf(core.atoms, sides)) - odd).toBeLessThanOrEqual(naive);
      }),
    );
  });
});

describe('bounds', () => {
  it('never exceed the optimum', () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: -50, max: 50 }), ({ list, size }, target) => {
        const core = { ...players(list, size), mirrored: false };
        const shifted: Core = { ...core, laneOf: (key) => (key === size ? { target, scale: 1 } : null) };
        expect(boundOf(Float64Array.from(list), size, target).least).toBeLessThanOrEqual(
          allValues(shifted)[0]!,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('include an outlier and a parity', () => {
    expect(boundOf(Float64Array.of(100, 3, 2, 1), 2, 0)).toEqual({ least: 96, reason: 'structural' });
    expect(
      boundOf(
        Float64Array.of(6, 4, 2, 0).map((w) => w + 1),
        2,
        0,
      ),
    ).toEqual({ least: 0, reason: 'residue' });
    expect(boundOf(Float64Array.of(8, 4, 2, 0), 2, 0).least).toBe(2);
  });
});

describe('reach', () => {
  it('counts every split once, and walks back to allowed ones', () => {
    fc.assert(
      fc.property(pools, fc.nat(1000), ({ list, size }, seed) => {
        const core = players(list, size);
        const counted = reach(core, unlimited())!;
        expect(waysOf(core, counted)).toBe(allValues(core).length);
        const sides = trace(core, counted, seed, (seed % 3) / 2)!;
        expect(valueOf(core, sides)).not.toBeNull();
      }),
    );
  });
});

describe('three ways per player', () => {
  it('finds the best of every size, for any target, and its players', () => {
    const items = fc.array(
      fc.record({ weight: fc.integer({ min: -300, max: 300 }), canSitOut: fc.boolean() }),
      { minLength: 2, maxLength: 8 },
    );
    fc.assert(
      fc.property(items, fc.integer({ min: -200, max: 200 }), fc.boolean(), (list, wish, level) => {
        const target = level ? 0 : wish;
        const middle = list.length >> 1;
        const left = threeWays(list.slice(0, middle), list.length, unlimited());
        const right = threeWays(list.slice(middle), list.length, unlimited());
        for (let size = 1; size <= list.length / 2; size++) {
          const met = meetThree(left, right, size, target, Infinity, -1, unlimited());
          const least = leastOff(list, size, target);
          expect(met?.value ?? null).toBe(least);
          if (!met) continue;
          const places = [
            ...finderOf(left)(met.a, met.b, met.left),
            ...finderOf(right)(size - met.b, size - met.a, met.right).map((place) => -place),
          ].map((place) => (met.turned ? -place : place));
          const difference = list.reduce((sum, { weight }, i) => sum + places[i]! * weight, 0);
          expect(Math.abs(difference - target)).toBe(met.value);
          expect(places.filter((place) => place === 1)).toHaveLength(size);
          expect(places.filter((place) => place === -1)).toHaveLength(size);
          expect(list.every((item, i) => item.canSitOut || places[i] !== 0)).toBe(true);
        }
      }),
      { numRuns: 130 },
    );
  });
});

/** The reference solution: every player on the first team, the second, or the bench. */
function leastOff(items: readonly PoolItem[], size: number, target: number): number | null {
  let least: number | null = null;
  const place = (i: number, a: number, b: number, difference: number): void => {
    const item = items[i];
    if (!item) {
      // Either team may be called the first.
      const off = Math.min(Math.abs(difference - target), Math.abs(difference + target));
      if (a === size && b === size && (least === null || Math.abs(difference - target) < least)) {
        least = target === 0 ? off : Math.abs(difference - target);
      }
      return;
    }
    if (item.canSitOut) place(i + 1, a, b, difference);
    place(i + 1, a + 1, b, difference + item.weight);
    place(i + 1, a, b + 1, difference - item.weight);
  };
  place(0, 0, 0, 0);
  return least;
}

describe('teams within a difference', () => {
  it('are all found: the best is the optimum', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 40; round++) {
      const values = Float64Array.from({ length: 9 }, () => Math.floor(random() * 60))
        .sort()
        .reverse();
      const search = new TeamSearch(values, 3, 3, unlimited(), 1e6);
      expect(search.within(1e6)).toBe(true);
      const all = threeTeams(values).sort((a, b) => a - b);
      expect(search.found.map((found) => found.value)).toEqual(all.slice(0, 3));
    }
  });
});

/** The difference of every partition of nine into three times three. */
function threeTeams(values: Float64Array): number[] {
  const all: number[] = [];
  const total = values.reduce((a, b) => a + b, 0);
  for (let i = 1; i < 9; i++) {
    for (let j = i + 1; j < 9; j++) {
      const first = values[0]! + values[i]! + values[j]!;
      const rest = [1, 2, 3, 4, 5, 6, 7, 8].filter((k) => k !== i && k !== j);
      for (let k = 1; k < 6; k++) {
        for (let l = k + 1; l < 6; l++) {
          const second = values[rest[0]!]! + values[rest[k]!]! + values[rest[l]!]!;
          const third = total - first - second;
          all.push(Math.max(first, second, third) - Math.min(first, second, third));
        }
      }
    }
  }
  return all;
}

describe('subsets', () => {
  it('are complete and ordered, with their members', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { maxLength: 9 }), (list) => {
        sortedSubsets(list, list.length, unlimited()).forEach(({ sums, codes }, size) => {
          expect([...sums]).toEqual([...sums].toSorted((a, b) => a - b));
          expect(new Set(codes).size).toBe(codes.length);
          codes.forEach((code, at) => {
            const members = membersOf(code, list.length);
            expect(members).toHaveLength(size);
            expect(members.reduce((sum, i) => sum + list[i]!, 0)).toBe(sums[at]);
          });
        });
      }),
    );
  });

  it('of many weights use the other encoding', () => {
    const list = Array.from({ length: 60 }, (_, i) => i);
    const three = sortedSubsets(list, 3, unlimited())[3]!;
    expect(three.sums).toHaveLength(34_220);
    expect(membersOf(three.codes[0]!, 60)).toEqual([0, 1, 2]);
    expect(membersOf(three.codes[34_219]!, 60)).toEqual([57, 58, 59]);
  });
});

describe('quantising', () => {
  it('keeps whole numbers, decimals and dyadic fractions unchanged', () => {
    expect(quantise([3, 1200, -7])).toMatchObject({ values: Float64Array.of(3, 1200, -7), quantum: 0 });
    const tenths = quantise([23.1, 18.5, 0.2]);
    expect(tenths).toMatchObject({ values: Float64Array.of(231, 185, 2), quantum: 0 });
    expect(tenths.weight(418)).toBe(41.8);
    expect(quantise([Math.PI, 1]).quantum).toBeLessThan(1e-13);
  });

  it('rounds by at most half a quantum, and keeps sums exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), { maxLength: 40 }),
        (list) => {
          const { values, quantum, weight } = quantise(list);
          const magnitude = values.reduce((sum, value) => sum + Math.abs(value), 0);
          expect(magnitude).toBeLessThanOrEqual(2 ** 51);
          list.forEach((given, i) => {
            expect(Number.isInteger(values[i])).toBe(true);
            expect(Math.abs(weight(values[i]!) - given)).toBeLessThanOrEqual(quantum / 2);
          });
        },
      ),
    );
  });
});

describe('the draw', () => {
  it('takes each in proportion to ratio^power', () => {
    const solutions = [1, 0.9, 0.5].map((ratio) => ({ ratio }));
    const counts = [0, 0, 0];
    for (let seed = 0; seed < 30_000; seed++) counts[draw(solutions, { power: 2, seed })]!++;
    const total = 1 + 0.81 + 0.25;
    expect(counts[0]! / 30_000).toBeCloseTo(1 / total, 1);
    expect(counts[1]! / 30_000).toBeCloseTo(0.81 / total, 1);
    expect(counts[2]! / 30_000).toBeCloseTo(0.25 / total, 1);
  });

  it('survives ratios of zero and huge powers', () => {
    expect(draw([{ ratio: 0 }, { ratio: 0 }], { power: 3, seed: 1 })).toBeLessThan(2);
    expect(draw([{ ratio: 1 }, { ratio: 0.999 }], { power: 1e6, seed: 5 })).toBe(0);
  });
});

describe('the error function', () => {
  it.each([
    [0, 0],
    [0.1, 0.1124629160182849],
    [1, 0.8427007929497149],
    [2.4, 0.9993114861033549],
    [2.6, 0.999763965583471],
    [5, 0.9999999999984626],
    [-1, -0.8427007929497149],
  ])('of %d is %d', (x, value) => {
    expect(erf(x)).toBeCloseTo(value, 13);
  });
});
