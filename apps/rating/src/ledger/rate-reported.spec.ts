import {
  seededRandom,
  TimeAhead,
  type RatingPool,
  type ReportedMatch,
  type StoredRating,
} from '@muster/domain';
import { defaultPoolRules, fitCalibration, modelOf, uncalibrated, type Sample } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { rateEvent } from '../core/rater.js';
import { RateReported } from './rate-reported.js';

const now = Date.UTC(2026, 10, 22);
const minute = 60_000;

let pool: RatingPool;
let ratings: Map<string, StoredRating>;
let reported: ReportedMatch[];
let samples: Sample[];
beforeEach(() => {
  pool = poolOf('openskill-plackett-luce');
  ratings = new Map();
  reported = [];
  samples = [];
});

function poolOf(model: string, parameters = {}): RatingPool {
  return {
    name: 'league',
    gameMode: null,
    modifiers: [],
    rules: { ...defaultPoolRules, model, parameters },
    calibration: uncalibrated,
    version: 1,
    generation: 1,
  };
}

/** An in-memory store that rates reports as the real one does, and stores no events. */
const reports = {
  rate: async (match: ReportedMatch) => {
    const { matchId: eventId, playedAt: at, teams, ranks, played } = match;
    const { players, forecast } = rateEvent(
      pool,
      { kind: 'match', eventId, at, teams, ranks, played },
      ratings,
    );
    for (const { playerId, rating } of players) ratings.set(playerId, rating);
    if (forecast) samples.push({ raw: forecast.raw, features: forecast.features, ranks });
    reported.push(match);
    return { outcome: 'rated' as const, matchId: eventId, prediction: [] };
  },
};
const ids = {
  make: (kind: string) => kind,
  derive: (_: string, text: string) => text,
  fingerprint: JSON.stringify,
};
const rate = new RateReported(reports, { now: () => now }, ids, () => undefined, {
  check: async () => undefined,
});
const muOf = (playerId: string): number => {
  const model = modelOf(pool.rules.model, pool.rules.parameters);
  return model.belief(model.read(ratings.get(playerId)?.state)).mu;
};
const four = {
  pool: 'league',
  teams: [
    ['ann', 'ben'],
    ['cat', 'dan'],
  ],
  ranks: [1, 2],
};

describe('a reported match', () => {
  it('may be at most ten minutes ahead of the service’s clock', async () => {
    for (const playedAt of [0, -1e12, now, now + 10 * minute])
      await rate.run({ ...four, eventId: `e${playedAt}`, playedAt }, 'operator');
    expect(reported).toHaveLength(4);
    for (const playedAt of [now + 10 * minute + 1, Date.UTC(2538, 0, 1), 253_402_300_799_999]) {
      const ahead = rate.run({ ...four, eventId: 'ahead', playedAt }, 'operator');
      await expect(ahead).rejects.toThrow(TimeAhead);
      await expect(ahead).rejects.toThrow(/2026-11-22T00:10:00\.000Z/);
      await expect(ahead).rejects.toMatchObject({ facts: { errors: [{ path: 'playedAt' }] } });
    }
    expect(reported).toHaveLength(4);
  });

  it('passes parties on, so that a community pool learns the effect of parties', async () => {
    const random = seededRandom(5);
    for (let i = 0; i < 1_500; i++) {
      const friends = i % 2;
      const won = random() < 1 / (1 + Math.exp(friends === 0 ? -1 : 1)) ? 0 : 1;
      const names = (team: number): string[] =>
        [0, 1].map((p) => `p${Math.floor(random() * 40) * 4 + 2 * team + p}`);
      await rate.run(
        {
          eventId: `e${i}`,
          pool: 'league',
          teams: [names(0), names(1)],
          ranks: won === 0 ? [1, 2] : [2, 1],
          parties: friends === 0 ? [[2], []] : [[], [2]],
        },
        'fleet',
      );
    }
    // Parties of two: the mean member has one friend in the team, worth one unit of log-odds here.
    const { mean = 0, sd = Infinity } = fitCalibration(samples).offsets['party'] ?? {};
    expect(mean).toBeGreaterThan(0.5);
    expect(mean).toBeLessThan(1.5);
    expect(mean).toBeGreaterThan(4 * sd);
  });

  it('is the same result with other parties, and another one with other playing times', async () => {
    const digestOf = async (more: object): Promise<string | undefined> => {
      await rate.run({ ...four, ...more, eventId: 'same' }, 'fleet');
      return reported.at(-1)?.digest;
    };
    const plain = await digestOf({});
    expect(await digestOf({ parties: [[2], []], map: 'well', late: [] })).toBe(plain);
    expect(await digestOf({ late: ['ben'] })).not.toBe(plain);
    expect(await digestOf({ lengthMs: 9, times: { ben: [{ fromMs: 0, toMs: 6 }] } })).not.toBe(plain);
  });

  it('weighs playing times: Hive weighs the beginning more, other models weigh all moments equally', async () => {
    const half = (fromMs: number): object => ({
      lengthMs: 1_000,
      times: { ann: [{ fromMs, toMs: fromMs + 500 }] },
    });
    const gains = async (model: string, parameters = {}): Promise<number[]> => {
      const gained: number[] = [];
      for (const fromMs of [0, 500]) {
        pool = poolOf(model, parameters);
        ratings = new Map();
        const { mu } = modelOf(model).belief(modelOf(model).initial());
        await rate.run({ ...four, ...half(fromMs), eventId: `${fromMs}` }, 'fleet');
        gained.push(muOf('ann') - mu);
      }
      return gained;
    };
    const [early = NaN, late = NaN] = await gains('hive');
    expect(early / late).toBeGreaterThan(2);
    const [one = NaN, other = NaN] = await gains('hive', { timeRatio: 1 });
    expect(one).toBeCloseTo(other, 12);
    const [some = NaN, same = NaN] = await gains('openskill-plackett-luce');
    expect(some).toBe(same);
    expect(reported.map(({ played }) => played.shares)).toEqual(
      Array.from({ length: 6 }, () => ({ ann: 0.5 })),
    );
  });

  it('of SynElo rates late joiners by the expectation of the starting players', async () => {
    const gain = async (late: string[]): Promise<number> => {
      const synelo = poolOf('synelo', { kMax: 2 });
      pool = { ...synelo, rules: { ...synelo.rules, aggregation: 'sum' } };
      ratings = new Map();
      await rate.run({ ...four, late, eventId: 'e' }, 'fleet');
      return muOf('ben') - 1_000;
    };
    // Two new players against two: half of K = 72. One against two, 1000 points behind at Θ = 400: P = 0.075858, so 67
    // of 72.
    expect(await gain([])).toBe(36);
    expect(await gain(['ben'])).toBe(67);
    expect(reported.map(({ played }) => played.late)).toEqual([undefined, ['ben']]);
  });
});
