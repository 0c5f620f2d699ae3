import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chanceAhead, chancesToBeFirst } from './first-place.js';

const performance = fc.record({
  mu: fc.double({ min: 0, max: 100, noNaN: true }),
  variance: fc.double({ min: 20, max: 400, noNaN: true }),
});

describe('the chance to come first', () => {
  it('of two equals the chance of being ahead', () => {
    fc.assert(
      fc.property(performance, performance, (a, b) => {
        const ahead = chanceAhead(a.mu - b.mu, Math.sqrt(a.variance + b.variance));
        expect(chancesToBeFirst([a, b])[0]).toBeCloseTo(ahead, 8);
      }),
    );
  });

  it('of four equals its simulated frequency', () => {
    const teams = [
      { mu: 20, variance: 60 },
      { mu: 25, variance: 20 },
      { mu: 26, variance: 90 },
      { mu: 18, variance: 200 },
    ];
    const random = seededRandom(7);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const trials = 100_000;
    const firsts = teams.map(() => 0);
    for (let trial = 0; trial < trials; trial++) {
      const drawn = teams.map(({ mu, variance }) => mu + Math.sqrt(variance) * normal());
      const best = drawn.indexOf(Math.max(...drawn));
      firsts[best] = (firsts[best] ?? 0) + 1;
    }
    chancesToBeFirst(teams).forEach((chance, t) =>
      expect(Math.abs(chance - (firsts[t] ?? NaN) / trials)).toBeLessThan(0.006),
    );
  });

  it('is the same for equals, in any number', () => {
    const chances = chancesToBeFirst(Array.from({ length: 40 }, () => ({ mu: 25, variance: 80 })));
    for (const chance of chances) expect(chance).toBeCloseTo(1 / 40, 12);
  });

  it('is correct for a performance of zero variance', () => {
    const sure = { mu: 0, variance: 0 };
    for (const chance of chancesToBeFirst([sure, sure, sure])) expect(chance).toBeCloseTo(1 / 3, 12);
    const [first = NaN, second = NaN] = chancesToBeFirst([
      sure,
      { mu: 0, variance: 25 },
      { mu: -99, variance: 1 },
    ]);
    expect(first).toBeCloseTo(0.5, 1);
    expect(second).toBeCloseTo(0.5, 1);
  });
});
