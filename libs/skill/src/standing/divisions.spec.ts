import { Unsolvable, type Division } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultDivisions, divisionAfter, divisionOf, readDivisions } from './divisions.js';

const divisions = defaultDivisions({ mu: 25, sigma: 8 });
const value = fc.double({ min: -20, max: 80, noNaN: true });
const current = fc.constantFrom(null, 'gone', ...divisions.map(({ name }) => name));

/** Divisions and a margin that fits them. */
const ladder = fc
  .record({
    start: fc.double({ min: -1000, max: 1000, noNaN: true }),
    widths: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 }),
    part: fc.double({ min: 0.01, max: 0.49, noNaN: true }),
  })
  .map(({ start, widths, part }) => {
    let from = start;
    const borders = [start, ...widths.map((width) => (from += width))];
    const margin = part * Math.min(...widths, 100);
    const named = borders.map((border, i): Division => ({ name: `d${i + 1}`, from: border }));
    return { borders, margin, divisions: readDivisions([{ name: 'd0', from: null }, ...named], margin) };
  });

describe('R16 divisions', () => {
  it('has seven about the start, in order', () => {
    expect(divisions.map(({ name }) => name)).toHaveLength(7);
    expect(divisionOf(divisions, 25).name).toBe('Platinum');
    expect(divisionOf(divisions, -1e300).name).toBe('Bronze');
    expect(divisionOf(divisions, 41).name).toBe('Grandmaster');
    expect(divisionOf(divisions, 24.999).name).toBe('Gold');
  });

  it('changes a division only beyond the margin, and crosses several borders at once', () => {
    const after = (name: string | null, at: number): string => divisionAfter(divisions, name, at, 1).name;
    expect(after('Gold', 25.9)).toBe('Gold');
    expect(after('Gold', 26)).toBe('Platinum');
    expect(after('Platinum', 24)).toBe('Platinum');
    expect(after('Platinum', 23.9)).toBe('Gold');
    expect(after('Bronze', 60)).toBe('Grandmaster');
    expect(after('Grandmaster', -60)).toBe('Bronze');
    expect(after(null, 25.1)).toBe('Platinum');
    expect(after('a division of last year', 25.1)).toBe('Platinum');
  });

  it('is stable after one step, for the same value', () => {
    fc.assert(
      fc.property(ladder, current, value, ({ divisions: those, margin }, name, at) => {
        const once = divisionAfter(those, name, at, margin);
        expect(divisionAfter(those, once.name, at, margin)).toEqual(once);
      }),
    );
    fc.assert(
      fc.property(current, value, fc.double({ min: 0, max: 100, noNaN: true }), (name, at, margin) => {
        const once = divisionAfter(divisions, name, at, margin);
        expect(divisionAfter(divisions, once.name, at, margin)).toEqual(once);
      }),
    );
  });

  it('changes at most once while a value varies within the margin of a border', () => {
    const wander = fc.array(fc.double({ min: -0.999, max: 0.999, noNaN: true }), {
      minLength: 2,
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        ladder,
        fc.nat(),
        fc.nat(),
        wander,
        ({ borders, margin, divisions: those }, b, d, steps) => {
          const border = borders[b % borders.length] ?? 0;
          let name = those[d % those.length]?.name ?? '';
          let changes = 0;
          for (const step of steps) {
            const next = divisionAfter(those, name, border + step * margin, margin).name;
            if (next !== name) changes++;
            name = next;
          }
          expect(changes).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('is never further than the margin from the division by value alone', () => {
    fc.assert(
      fc.property(ladder, fc.nat(), value, ({ margin, divisions: those }, d, at) => {
        const { name } = divisionAfter(those, those[d % those.length]?.name ?? null, at, margin);
        const low = divisionOf(those, at - margin);
        const high = divisionOf(those, at + margin);
        expect([low.name, high.name, divisionOf(those, at).name]).toContain(name);
      }),
    );
  });

  it('refuses lists that are not in order, and values that are not numbers', () => {
    const first = { name: 'a', from: null };
    const wrong: (() => unknown)[] = [
      () => readDivisions([]),
      () => readDivisions([{ name: 'a', from: 0 }]),
      () => readDivisions([first, { name: 'a', from: 3 }]),
      () => readDivisions([first, { name: ' ', from: 3 }]),
      () => readDivisions([first, { name: 'b', from: null }]),
      () => readDivisions([first, { name: 'b', from: NaN }]),
      () => readDivisions([first, { name: 'b', from: 3 }, { name: 'c', from: 3 }]),
      () => readDivisions([first, { name: 'b', from: 3 }, { name: 'c', from: 4 }], 0.6),
      () => readDivisions([first], -1),
      () => divisionOf(divisions, NaN),
      () => divisionOf([], 1),
      () => defaultDivisions({ mu: 1e20, sigma: 1 }),
    ];
    for (const attempt of wrong) expect(attempt).toThrow(Unsolvable);
  });
});
