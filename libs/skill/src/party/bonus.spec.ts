import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measurable, partyFeature, partyGain, partyMultiplier, partyOdds } from './bonus.js';

/** Parties, and a team that they fit in. */
const team = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 6 }), fc.nat(6))
  .map(([parties, solos]) => ({ parties, size: parties.reduce((sum, of) => sum + of, 0) + solos }))
  .filter(({ size }) => size > 0);

describe('R14 party bonus', () => {
  it('multiplies weights by party size', () => {
    expect([0, 1, 2, 3, 4, 9].map(partyMultiplier)).toEqual([1, 1, 1.15, 1.2, 1.25, 1.25]);
  });

  it('counts the friends of the mean member', () => {
    expect(partyFeature([], 5)).toBe(0);
    expect(partyFeature([1, 1], 5)).toBe(0);
    expect(partyFeature([2], 5)).toBeCloseTo(0.4, 12);
    expect(partyFeature([2, 3], 5)).toBeCloseTo(1.6, 12);
    expect(partyFeature([5], 5)).toBe(4);
    expect(partyFeature([], 0)).toBe(0);
  });

  it('gives solos nothing, friends something, and nobody more than the maximum', () => {
    fc.assert(
      fc.property(team, ({ parties, size }) => {
        const together = parties.some((of) => of > 1);
        expect(partyFeature(parties, size)).toBeLessThanOrEqual(Math.max(0, size - 1));
        expect(partyOdds(parties, size) > 0).toBe(together);
        expect(partyOdds(parties, size)).toBeLessThanOrEqual(0.5);
        expect(partyGain(parties, size) > 0).toBe(together);
        expect(partyGain(parties, size)).toBeLessThanOrEqual(Math.log(1.25) + 1e-12);
      }),
    );
    expect(partyOdds([5], 5)).toBeCloseTo(0.4, 12);
    expect(partyOdds([22], 22)).toBe(0.5);
    expect(partyGain([2], 2)).toBeCloseTo(Math.log(1.15), 12);
  });

  it('accepts a coefficient beyond two standard deviations', () => {
    expect(measurable({ mean: 0.21, sd: 0.1 })).toBe(true);
    expect(measurable({ mean: -0.21, sd: 0.1 })).toBe(true);
    expect(measurable({ mean: 0.2, sd: 0.1 })).toBe(false);
    expect(measurable({ mean: 0, sd: 0 })).toBe(false);
    expect(measurable({ mean: NaN, sd: 0.1 })).toBe(false);
  });
});
