import { seededRandom, Unsolvable, type Random } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitRegression, estimateBy, type MatchStats, type RegressionRow } from './regression.js';

const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Kills and deaths follow skill, with much noise; heroes have an effect; luck and the constant have none. */
function statsOf(skill: number, random: Random): MatchStats {
  const kills = 10 + 0.5 * (skill - 25) + 4 * gaussian(random);
  return {
    numbers: {
      kills,
      deaths: 8 - 0.3 * (skill - 25) + 4 * gaussian(random),
      killsAgain: 3 * kills,
      luck: gaussian(random),
      constant: 7.1,
    },
    categories: { hero: random() < 0.5 + (skill - 25) / 60 ? 'mage' : `rare-${Math.floor(random() * 500)}` },
  };
}

function history(players: number, each: number, seed: number): { rows: RegressionRow[]; random: Random } {
  const random = seededRandom(seed);
  const rows = Array.from({ length: players }, (_, p) => {
    const target = 25 + 6 * gaussian(random);
    return Array.from({ length: each }, (_match, m) => ({
      player: `p${p}`,
      match: `m${p % 37}-${m}`,
      target,
      ...statsOf(target, random),
    }));
  }).flat();
  return { rows, random };
}

const refusal = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Unsolvable) return error.message;
    throw error;
  }
  return '';
};

describe('R4 regression placement', () => {
  it('recovers a linear relation', () => {
    const random = seededRandom(4);
    const rows = Array.from({ length: 600 }, (_, i): RegressionRow => {
      const numbers = { a: gaussian(random), b: 100 + 20 * gaussian(random) };
      const target = 1500 + 80 * numbers.a - 3 * numbers.b;
      return { player: `p${i}`, match: `m${i}`, numbers, target };
    });
    const model = fitRegression(rows);
    expect(model.fit.heldOutR2).toBeGreaterThan(0.9999);
    const slopes = model.columns.map(({ deviation }, i) => (model.weights[i] ?? 0) / deviation);
    expect(slopes[0]).toBeCloseTo(80, 0);
    expect(slopes[1]).toBeCloseTo(-3, 1);
    expect(estimateBy(model, [{ numbers: { a: 1, b: 100 } }]).mu).toBeCloseTo(1280, 0);
  });

  it('places newcomers with a calibrated error, with noisy, constant, collinear and categorical columns', () => {
    const { rows, random } = history(400, 12, 1);
    const { columns, fit, ...rest } = fitRegression(rows);
    expect(columns.map(({ feature }) => feature.name)).not.toContain('constant');
    expect(fit).toMatchObject({ rows: 4800, players: 400 });
    expect(fit.heldOutError).toBeLessThan(0.6 * fit.errorOfMean);
    expect(fit.heldOutAbsoluteError).toBeLessThan(fit.heldOutError);
    expect(fit.r2).toBeGreaterThan(fit.heldOutR2 - 0.05);
    const model = JSON.parse(JSON.stringify({ columns, fit, ...rest }));
    for (const matches of [2, 6, 20]) {
      let within = 0;
      for (let i = 0; i < 1000; i++) {
        const truth = 25 + 6 * gaussian(random);
        const { mu, sigma } = estimateBy(
          model,
          Array.from({ length: matches }, () => statsOf(truth, random)),
        );
        if (Math.abs(mu - truth) <= 2 * sigma) within++;
      }
      expect(within).toBeGreaterThan(930);
    }
  });

  it('is less certain with fewer matches', () => {
    const { rows, random } = history(200, 10, 2);
    const model = fitRegression(rows);
    const seen = Array.from({ length: 10 }, () => statsOf(30, random));
    const [one, three, ten] = [1, 3, 10].map((n) => estimateBy(model, seen.slice(0, n)).sigma);
    expect(one).toBeGreaterThan(three ?? NaN);
    expect(three).toBeGreaterThan(ten ?? NaN);
    expect(ten).toBeCloseTo(model.fit.heldOutError, 9);
  });

  it('refuses noise, a small history and equal ratings, and says why', () => {
    const random = seededRandom(5);
    const noise = Array.from({ length: 2000 }, (_, i): RegressionRow => ({
      player: `p${i % 200}`,
      match: `m${i}`,
      numbers: { a: random(), b: random(), c: random() },
      target: (i * 37) % 200,
    }));
    expect(refusal(() => fitRegression(noise))).toMatch(/explain -?\d.* % of the differences/);
    const { rows } = history(60, 3, 3);
    expect(refusal(() => fitRegression(rows))).toMatch(/has 1\d\d matches; placing by stats needs 200/);
    expect(refusal(() => fitRegression([]))).toMatch(/has 0 matches/);
    const equal = rows.map((row) => ({ ...row, target: 1e9 / 3 }));
    expect(refusal(() => fitRegression(equal, { minMatches: 1 }))).toMatch(/are the same/);
    expect(refusal(() => fitRegression(rows.slice(0, 12), { minMatches: 1 }))).toMatch(
      /10 players; there are 4/,
    );
  });

  it('is not misled by columns that identify players: no player is on both sides of a split', () => {
    const random = seededRandom(6);
    const rows = Array.from({ length: 80 }, (_, p) => {
      const target = gaussian(random);
      return Array.from({ length: 40 }, (_match, m) => ({
        player: `p${p}`,
        match: `m${p}-${m}`,
        numbers: { a: random() },
        categories: { signature: `of-${p}` },
        target,
      }));
    }).flat();
    const model = fitRegression(rows, { leastR2: -10 });
    expect(model.fit.heldOutR2).toBeLessThan(0.05);
    expect(refusal(() => fitRegression(rows))).not.toBe('');
  });

  it('names missing and invalid values', () => {
    const { rows, random } = history(40, 10, 7);
    const model = fitRegression(rows, { minMatches: 1 });
    const spoilt = (numbers: Record<string, number>): RegressionRow[] =>
      rows.map((row, i) => (i === 5 ? { ...row, numbers } : row));
    const all = rows[5]?.numbers ?? {};
    const options = { minMatches: 1 };
    expect(refusal(() => fitRegression(spoilt({ ...all, kills: NaN }), options))).toMatch(
      /Player p0 in match m0-5 has NaN for "kills"/,
    );
    expect(refusal(() => fitRegression(spoilt({}), options))).toMatch(/m0-5 has no number "kills"/);
    expect(
      refusal(() =>
        fitRegression(
          rows.map((row, i) => (i === 9 ? { ...row, target: NaN } : row)),
          options,
        ),
      ),
    ).toMatch(/rating NaN/);
    const stats = statsOf(20, random);
    expect(refusal(() => estimateBy(model, []))).toMatch(/at least one match/);
    expect(refusal(() => estimateBy(model, [{ numbers: stats.numbers }]))).toMatch(/no category "hero"/);
    expect(refusal(() => estimateBy(model, [{ ...stats, numbers: {} }]))).toMatch(/Match 1 .* no number "/);
    expect(estimateBy(model, [{ ...stats, categories: { hero: 'never seen' } }]).mu).toBeGreaterThan(0);
  });

  it('does not extrapolate', () => {
    const { rows, random } = history(100, 10, 8);
    const model = fitRegression(rows, { minMatches: 1 });
    const stats = statsOf(25, random);
    const at = (kills: number): number =>
      estimateBy(model, [{ ...stats, numbers: { ...stats.numbers, kills } }]).mu;
    expect(at(1e50)).toBe(at(1e6));
  });

  it('never returns anything but numbers', () => {
    const wild = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, 1, -1, 1e99, 1e-300),
      fc.double({ min: -10, max: 10, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: wild, b: wild, target: wild, who: fc.nat(20) }), {
          minLength: 20,
          maxLength: 60,
        }),
        (given) => {
          const rows = given.map(({ a, b, target, who }, i): RegressionRow => ({
            player: `p${who}`,
            match: `m${i}`,
            target,
            numbers: { a, b, sum: a / 2 + b / 2, same: a },
            categories: { kind: who % 3 === 0 ? 'x' : 'y' },
          }));
          try {
            const model = fitRegression(rows, { minMatches: 1, leastR2: -Infinity, rare: 2 });
            const { mu, sigma } = estimateBy(model, rows.slice(0, 3));
            const { fit, weights, intercept, wobble } = model;
            const figures = [...Object.values(fit), ...weights, intercept, wobble, mu, sigma];
            expect(figures.filter((each) => !Number.isFinite(each))).toEqual([]);
            expect(sigma).toBeGreaterThan(0);
          } catch (error) {
            if (!(error instanceof Unsolvable)) throw error;
          }
        },
      ),
    );
  });
});
