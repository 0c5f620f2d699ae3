import { seededRandom, type Random } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeShares, withoutOutcome } from './outcome-share.js';
import { beliefAfter, explainedBy, fitPool, measuredBy, readPoolFit, type PoolStatsRow } from './pool-fit.js';

/** A normal draw (Box and Muller). */
const normal = (random: Random, mean: number, deviation: number): number =>
  mean + deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const demands = { leastR2: 0.1, minMatches: 200, window: 10 };
const spread = 8;

/** A pool whose ratings have the uncertainty `doubt` and are right about it. */
interface World {
  readonly doubt: number;
  /** Standard deviation of the stat about skill in a match. */
  readonly noise: number;
  /** What the stat has more in a match won. */
  readonly luck: number;
  /** How much more a stronger player wins. */
  readonly skillWins: number;
}
const world: World = { doubt: 3, noise: 20, luck: 15, skillWins: 0.02 };

function play(truth: number, { noise, luck, skillWins }: World, random: Random) {
  const won = random() < 0.5 + skillWins * (truth - 25);
  return {
    numbers: { damage: 100 + truth + normal(random, 0, noise) + (won ? luck : 0), pings: random() },
    categories: { hero: random() < 0.5 ? 'axe' : 'bow' },
    outcome: won ? 1 : 0,
  };
}

function history(given: World, random: Random, players = 600, matches = 20): PoolStatsRow[] {
  return Array.from({ length: players }, (_, p) => {
    const rating = { mu: normal(random, 25, Math.sqrt(spread ** 2 - given.doubt ** 2)), sigma: given.doubt };
    const truth = normal(random, rating.mu, rating.sigma);
    return Array.from({ length: matches }, (_match, m) => ({
      player: `p${p}`,
      match: `m${p}-${m}`,
      rating,
      ...play(truth, given, random),
    }));
  }).flat();
}

describe('what comes with the outcome', () => {
  it('is the slope within players, without what skill makes of both', () => {
    const rows = history(world, seededRandom(1));
    const shares = outcomeShares(rows);
    expect(shares['damage']).toBeGreaterThan(14);
    expect(shares['damage']).toBeLessThan(16);
    expect(shares['pings']).toBeCloseTo(0, 1);
    const [first] = rows;
    if (!first) throw new Error('no rows');
    const rest = withoutOutcome(first, shares);
    expect(rest.numbers['damage']).toBeCloseTo(
      (first.numbers['damage'] ?? NaN) - (shares['damage'] ?? NaN) * (first.outcome - 0.5),
      9,
    );
    expect(rest.categories).toEqual(first.categories);
  });

  it('is nothing where all matches end alike', () => {
    const rows = history(world, seededRandom(2), 30).map((row) => ({ ...row, outcome: 1 }));
    expect(outcomeShares(rows)).toEqual({ damage: 0, pings: 0 });
    expect(outcomeShares([])).toEqual({});
  });
});

describe("a pool's fit", () => {
  it('measures newcomers without bias and with a calibrated error, for any number of matches', () => {
    for (const doubt of [0.5, 5]) {
      const random = seededRandom(3);
      const placement = fitPool(history({ ...world, doubt }, random), demands);
      expect(placement.flaw).toBeNull();
      expect(placement.skills.sigma).toBeGreaterThan(7.4);
      expect(placement.skills.sigma).toBeLessThan(8.6);
      const read = readPoolFit(JSON.parse(JSON.stringify(placement)));
      for (const matches of [2, 10, 20]) {
        let [within, slope, squares] = [0, 0, 0];
        for (let i = 0; i < 800; i++) {
          const truth = normal(random, 25, spread);
          const rows = Array.from({ length: matches }, () => play(truth, world, random));
          const measured = measuredBy(read, rows) ?? { mu: NaN, sigma: NaN };
          if (Math.abs(measured.mu - truth) <= measured.sigma) within++;
          slope += (measured.mu - 25) * (truth - 25);
          squares += (truth - 25) ** 2;
        }
        // A measurement is not drawn to the mean of the pool: its slope on the truth is 1. Averages of two matches are beyond
        // the range of the fit now and then, and count as its edge.
        expect(slope / squares).toBeGreaterThan(matches < 10 ? 0.75 : 0.85);
        expect(slope / squares).toBeLessThan(1.15);
        // More matches than the window tell more than is claimed.
        expect(within / 800).toBeGreaterThan(0.58);
        expect(within / 800).toBeLessThan(matches > 10 ? 0.95 : 0.78);
      }
    }
  });

  it('explains more of skill than of ratings that are unsure', () => {
    const placement = fitPool(history({ ...world, doubt: 5 }, seededRandom(4)), demands);
    expect(placement.reliability).toBeLessThan(0.7);
    expect(explainedBy(placement)).toBeGreaterThan(1.3 * placement.model.fit.heldOutR2);
    expect(explainedBy(placement)).toBeLessThanOrEqual(0.95);
  });

  it('is refused when stats say nothing, with the figures', () => {
    const random = seededRandom(5);
    const rows = history(world, random).map((row) => ({ ...row, numbers: { pings: random() } }));
    const placement = fitPool(rows, demands);
    expect(placement.flaw).toMatch(/^Stats explain -?\d+(\.\d)? % of .* needs 10 %\.$/);
    expect(() => fitPool(rows.slice(0, 100), demands)).toThrow(/has 100 matches.*needs 200/);
    expect(() => fitPool([], demands)).toThrow(/has 0 matches/);
  });

  it('leaves out rows that lack a common stat, and stats that few rows have', () => {
    const rows = history(world, seededRandom(6)).map((row, i) => ({
      ...row,
      numbers: {
        ...(i % 10 === 0 ? {} : { damage: row.numbers['damage'] ?? 0 }),
        ...(i % 3 === 0 ? { saves: 1 } : {}),
      },
    }));
    const placement = fitPool(rows, demands);
    expect(placement.incomplete).toBe(rows.length / 10);
    expect(placement.model.columns.map(({ feature }) => feature.name)).not.toContain('saves');
    expect(measuredBy(placement, [{ numbers: { saves: 1 }, outcome: 1 }])).toBeNull();
    expect(measuredBy(placement, [])).toBeNull();
  });

  it('uses what nearly all report, where teams and roles report different stats', () => {
    const rows = history(world, seededRandom(8)).map((row, i) => ({
      ...row,
      numbers: { damage: row.numbers['damage'] ?? 0, [i % 2 === 0 ? 'healing' : 'saves']: i },
      categories: {},
    }));
    const placement = fitPool(rows, demands);
    expect(placement.flaw).toBeNull();
    expect(placement.incomplete).toBe(0);
    expect(placement.model.columns.map(({ feature }) => feature.name)).toEqual(['damage']);
    expect(measuredBy(placement, [{ numbers: { damage: 130, blocks: 2 }, outcome: 1 }])).not.toBeNull();
    expect(measuredBy(placement, [{ numbers: { healing: 130 }, outcome: 1 }])).toBeNull();
  });

  it('names the stats that are missing most where none is left, or too few rows', () => {
    const rows = history(world, seededRandom(9), 30);
    const apart = rows.map((row, i) => ({
      ...row,
      numbers: { [i % 4 === 0 ? 'healing' : 'saves']: i },
      categories: {},
    }));
    expect(() => fitPool(apart, demands)).toThrow(
      'No stat is in 90 % of the 600 rows of players; placing by stats needs one that nearly all players have. Missing most: healing (in 75 % of the rows), saves (in 25 % of the rows).',
    );
    const many = rows.map((row, i) => ({
      ...row,
      numbers: { [`of-${i % 7}`]: 1, ...(i % 5 === 0 ? {} : { gold: 1 }) },
      categories: {},
    }));
    expect(() => fitPool(many, demands)).toThrow(
      /of-2 \(in 86 % of the rows\); least: gold \(in 20 % of the rows\)\.$/,
    );
    const few = rows.slice(0, 210).map((row, i) => ({
      ...row,
      numbers: { ...(i % 10 === 0 ? {} : { damage: i }), pings: 1 },
    }));
    expect(() => fitPool(few, demands)).toThrow(
      '189 matches have a player with all of damage, pings, hero; placing by stats needs 200. Missing most: damage (in 10 % of the rows).',
    );
  });

  it('has few columns for categories with many values', () => {
    const rows = history(world, seededRandom(7), 200).map((row, i) => ({
      ...row,
      categories: { hero: `hero-${i % 500}`, weapon: `weapon-${i % 90}` },
    }));
    expect(fitPool(rows, demands).model.columns.length).toBeLessThanOrEqual(204);
  });
});

describe('a belief after a measurement', () => {
  const belief = fc.record({
    mu: fc.double({ min: -100, max: 100, noNaN: true }),
    sigma: fc.double({ min: 0.01, max: 50, noNaN: true }),
  });

  it('is between the two and surer than each, whichever comes first', () => {
    fc.assert(
      fc.property(belief, belief, (a, b) => {
        const both = beliefAfter(a, b);
        expect(both.mu).toBeGreaterThanOrEqual(Math.min(a.mu, b.mu) - 1e-9);
        expect(both.mu).toBeLessThanOrEqual(Math.max(a.mu, b.mu) + 1e-9);
        expect(1 / both.sigma ** 2 / (1 / a.sigma ** 2 + 1 / b.sigma ** 2)).toBeCloseTo(1, 6);
        const turned = beliefAfter(b, a);
        expect(turned.mu).toBeCloseTo(both.mu, 6);
        expect(turned.sigma).toBeCloseTo(both.sigma, 6);
      }),
    );
  });
});

describe('what is read', () => {
  it('must be a placement', () => {
    for (const wrong of [null, 7, {}, { model: { columns: [] } }])
      expect(() => readPoolFit(wrong)).toThrow(TypeError);
  });
});
