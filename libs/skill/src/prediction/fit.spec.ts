import { seededRandom, type Calibration } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sigmoid, softmax } from '../maths/logistic.js';
import { calibrated, oddsOf, uncalibrated } from './calibration.js';
import { fitCalibration, fitPriors, type Sample } from './fit.js';
import { calibrationFrom, recalibrated } from './recalibrate.js';

/** Matches of two teams whose true log-odds are scale · (the model's) + side, drawn at random. */
function played(count: number, scale: number, side: number, seed = 1): Sample[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (): Sample => {
    const own = 4 * (random() - 0.5);
    const home = random() < 0.5;
    const p = sigmoid(scale * own + (home ? side : -side));
    return {
      raw: [sigmoid(own), sigmoid(-own)],
      features: home ? [{ 'side:home': 1 }, { 'side:away': 1 }] : [{ 'side:away': 1 }, { 'side:home': 1 }],
      ranks: random() < p ? [1, 2] : [2, 1],
    };
  });
}

describe('fitting a calibration', () => {
  it('finds the true scale and offset, within the reported uncertainty', () => {
    const { scale, offsets, matches } = fitCalibration(played(20_000, 0.5, 0.3));
    expect(matches).toBe(20_000);
    expect(Math.abs(scale.mean - 0.5)).toBeLessThan(3 * scale.sd);
    expect(scale.sd).toBeLessThan(0.03);
    const side = (offsets['side:home']?.mean ?? 0) - (offsets['side:away']?.mean ?? 0);
    expect(side).toBeCloseTo(0.3, 1);
  });

  it('finds the factor on skills by aspect, which is near 1 with few matches and is never below 0', () => {
    const withAspects = (count: number, factor: number): Calibration => {
      const random = seededRandom(5);
      return fitCalibration(
        Array.from({ length: count }, (): Sample => {
          const aspects = 2 * random() - 1;
          return {
            raw: [0.5, 0.5],
            features: [{ aspects }, {}],
            ranks: random() < sigmoid(factor * aspects) ? [1, 2] : [2, 1],
          };
        }),
      );
    };
    const { mean = NaN, sd = NaN } = withAspects(10_000, 0.4).offsets['aspects'] ?? {};
    expect(Math.abs(mean - 0.4)).toBeLessThan(3 * sd);
    expect(withAspects(3, 0.4).offsets['aspects']?.mean).toBeGreaterThan(0.8);
    expect(oddsOf({ aspects: 0.5 }, uncalibrated)).toBe(0.5);
    expect(oddsOf({ aspects: 0.5 }, withAspects(4_000, -1))).toBe(0);
  });

  it('keeps features with few matches near no effect', () => {
    const few = fitCalibration(played(6, 1, 2));
    const many = fitCalibration(played(600, 1, 2));
    const worth = (offsets: Readonly<Record<string, { mean: number }>>): number =>
      (offsets['side:home']?.mean ?? 0) - (offsets['side:away']?.mean ?? 0);
    expect(worth(few.offsets)).toBeLessThan(worth(many.offsets));
    expect(few.offsets['side:home']?.sd).toBeGreaterThan(many.offsets['side:home']?.sd ?? Infinity);
  });

  it('ends at the maximum of the posterior: no step aside is better', () => {
    const samples = played(80, 0.7, 0.4, 3);
    const fitted = fitCalibration(samples);
    const posterior = (scale: number, home: number, away: number): number => {
      const prior =
        ((scale - 1) / fitPriors.scaleSd) ** 2 / 2 +
        (home ** 2 + away ** 2) / fitPriors.offsetSd.side ** 2 / 2;
      return samples.reduce((sum, { raw, features, ranks }) => {
        const logits = raw.map(
          (p, t) =>
            scale * Math.log(p) +
            home * (features[t]?.['side:home'] ?? 0) +
            away * (features[t]?.['side:away'] ?? 0),
        );
        return sum + Math.log(softmax(logits)[ranks.indexOf(1)] ?? 0);
      }, -prior);
    };
    const at = [
      fitted.scale.mean,
      fitted.offsets['side:home']?.mean ?? 0,
      fitted.offsets['side:away']?.mean ?? 0,
    ] as const;
    const best = posterior(...at);
    for (const step of [-0.01, 0.01]) {
      expect(posterior(at[0] + step, at[1], at[2])).toBeLessThan(best);
      expect(posterior(at[0], at[1] + step, at[2])).toBeLessThan(best);
      expect(posterior(at[0], at[1], at[2] + step)).toBeLessThan(best);
    }
  });

  it('counts a draw as half to each, and estimates the draw rate', () => {
    const even: Sample = { raw: [0.5, 0.5], features: [{}, {}], ranks: [1, 1] };
    const { scale, drawRate } = fitCalibration(Array.from({ length: 90 }, () => even));
    expect(scale.mean).toBeCloseTo(1, 9);
    expect(drawRate).toBeCloseTo(0.9, 9);
    const sure: Sample = { raw: [0.99, 0.01], features: [{}, {}], ranks: [1, 1] };
    expect(fitCalibration(Array.from({ length: 90 }, () => sure)).scale.mean).toBeLessThan(0.2);
  });

  it('uses the whole ranking of many teams', () => {
    const random = seededRandom(5);
    const races = Array.from({ length: 400 }, (): Sample => {
      const logits = Array.from({ length: 6 }, () => 3 * (random() - 0.5));
      const left = [0, 1, 2, 3, 4, 5];
      const ranks = [0, 0, 0, 0, 0, 0];
      for (let place = 1; place <= 6; place++) {
        const chances = softmax(left.map((t) => 0.4 * (logits[t] ?? 0)));
        let at = random();
        const index = chances.findIndex((chance) => (at -= chance) < 0);
        const [team = 0] = left.splice(Math.max(0, index), 1);
        ranks[team] = place;
      }
      return { raw: softmax(logits), features: ranks.map(() => ({})), ranks };
    });
    const { scale } = fitCalibration(races);
    expect(Math.abs(scale.mean - 0.4)).toBeLessThan(3 * scale.sd);
    // Winners alone would determine it less precisely.
    const winners = races.map((race) => ({ ...race, ranks: race.ranks.map((rank) => (rank === 1 ? 1 : 2)) }));
    expect(scale.sd).toBeLessThan(fitCalibration(winners).scale.sd);
  });

  it('returns only numbers', () => {
    const sample = fc
      .record({
        p: fc.constantFrom(0, 1e-300, 0.2, 0.5, 1),
        size: fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        outcome: fc.constantFrom([1, 2], [2, 1], [1, 1]),
      })
      .map(({ p, size, outcome }): Sample => ({
        raw: [p, 1 - p],
        features: [{ size }, { party: 1 }],
        ranks: outcome,
      }));
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 30 }), (samples) => {
        const fitted = fitCalibration(samples);
        const numbers = [fitted.scale, ...Object.values(fitted.offsets)].flatMap(({ mean, sd }) => [
          mean,
          sd,
        ]);
        expect([...numbers, fitted.drawRate].every(Number.isFinite)).toBe(true);
      }),
    );
  });
});

describe('recalibrating', () => {
  it('replaces a calibration only by one that predicts the held-out matches better', () => {
    const history = played(1_000, 0.4, 0);
    const better = recalibrated(uncalibrated, history);
    expect(better?.scale.mean).toBeCloseTo(0.4, 0);
    expect(better?.matches).toBe(1_000);
    // A calibration fitted to the held-out matches themselves cannot be improved on them.
    expect(recalibrated(fitCalibration(history.slice(800)), history)).toBeNull();
  });

  it('returns to the model’s own chances when these predict clearly better', () => {
    const history = played(2_000, 1, 0);
    const wrong: Calibration = { ...uncalibrated, scale: { mean: 3, sd: 0.1 } };
    expect(recalibrated(wrong, history)?.scale.mean).toBeCloseTo(1, 0);
    // The effect that the first matches teach is gone in the last fifth: only the model's own chances are right there.
    const gone = [...played(1_600, 0.2, 0), ...played(400, 1, 0)];
    expect(calibrationFrom(gone)).toMatchObject({ scale: { mean: 1 }, offsets: {}, matches: 2_000 });
    expect(recalibrated(wrong, gone)?.scale.mean).toBe(1);
    expect(recalibrated(uncalibrated, gone)).toBeNull();
  });

  it('ignores the ties of those who did not finish a race', () => {
    const random = seededRandom(11);
    const races = Array.from({ length: 600 }, (): Sample => {
      const logits = Array.from({ length: 10 }, () => 2 * (random() - 0.5));
      const left = logits.map((_, t) => t);
      const ranks = logits.map(() => 3);
      for (const place of [1, 2]) {
        const chances = softmax(left.map((t) => 2.5 * (logits[t] ?? 0)));
        let at = random();
        const [team = 0] = left.splice(
          Math.max(
            0,
            chances.findIndex((chance) => (at -= chance) < 0),
          ),
          1,
        );
        ranks[team] = place;
      }
      return { raw: softmax(logits), features: ranks.map(() => ({})), ranks };
    });
    expect(recalibrated(uncalibrated, races)?.scale.mean).toBeGreaterThan(1.8);
  });

  it('waits for enough matches', () => {
    expect(recalibrated(uncalibrated, played(49, 0.3, 0))).toBeNull();
  });
});

describe('a calibrated prediction', () => {
  it('adds up to 1, keeps the order of the teams, and follows odds', () => {
    const chance = fc.double({ min: 0.001, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(chance, { minLength: 2, maxLength: 8 }),
        fc.double({ min: 0.05, max: 3, noNaN: true }),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        (weights, scale, odds) => {
          const total = weights.reduce((a, b) => a + b, 0);
          const raw = weights.map((weight) => weight / total);
          const calibration = { ...uncalibrated, scale: { mean: scale, sd: 0.1 } };
          const none = raw.map(() => 0);
          const { chances } = calibrated(raw, none, calibration);
          expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
          const order = (of: readonly number[]): number => of.indexOf(Math.max(...of));
          expect(chances[order(raw)]).toBeCloseTo(Math.max(...chances), 12);
          const helped = calibrated(raw, none.with(0, odds), calibration).chances;
          expect(helped[0]).toBeGreaterThan((chances[0] ?? 1) - 1e-12);
        },
      ),
    );
  });

  it('equals the model’s while nothing is learned', () => {
    expect(calibrated([0.7, 0.3], [0, 0], uncalibrated).chances[0]).toBeCloseTo(0.7, 12);
  });

  it('counts friends only once their effect is significant', () => {
    const learned = (mean: number, sd: number): Calibration => ({
      ...uncalibrated,
      offsets: { party: { mean, sd } },
    });
    expect(oddsOf({ party: 2 }, learned(0.3, 0.2))).toBe(0);
    expect(oddsOf({ party: 2 }, learned(0.3, 0.1))).toBeCloseTo(0.6, 12);
    expect(oddsOf({ 'side:home': 1 }, learned(0.3, 0.1))).toBe(0);
  });
});
