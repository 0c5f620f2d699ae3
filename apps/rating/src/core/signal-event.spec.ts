import type { Json, MatchEvent, RatingPool, SignalEvent, StoredRating } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opened } from './open-pool.js';
import { stateAt, unrated } from './current.js';
import { rateEvent } from './rater.js';

const day = 86_400_000;
const pool: RatingPool = {
  name: 'ladder',
  gameMode: null,
  modifiers: [],
  rules: {
    ...defaultPoolRules,
    inactivity: { afterDays: 1, forgottenAfterDays: 400, decay: { division: 'Gold', perDay: 0.01 } },
    integrity: { uncertainty: 0.6 },
  },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
};
const { start } = opened(pool);

const match = (eventId: string, at: number, ranks: number[]): MatchEvent => ({
  kind: 'match',
  eventId,
  at,
  teams: [['ann'], ['ben']],
  ranks,
});
const signal = (at: number, uncertainty = 0.6): SignalEvent => ({
  kind: 'signal',
  eventId: `case-${at}`,
  at,
  playerId: 'ann',
  uncertainty,
  by: 'integrity',
  reason: 'a test',
});

/** The rating of ann after events. */
function ratedBy(events: readonly (MatchEvent | SignalEvent)[], of: RatingPool = pool): StoredRating {
  const ratings = new Map<string, StoredRating>();
  for (const event of events)
    for (const { playerId, rating } of rateEvent(of, event, ratings).players) ratings.set(playerId, rating);
  return ratings.get('ann') ?? unrated;
}

const beliefAt = (rating: StoredRating, at: number) =>
  opened(pool).model.model.belief(stateAt(opened(pool), undefined, rating, at));
const played = Array.from({ length: 30 }, (_, i) => match(`m${i}`, i * 3_600_000, [1 + (i % 3), 2]));

describe('a signal in the ledger', () => {
  it('raises the uncertainty to the bound and leaves everything else', () => {
    const before = ratedBy(played);
    const after = ratedBy([...played, signal(30 * 3_600_000)]);
    const [one, other] = [beliefAt(before, 0), beliefAt(after, 0)];
    expect(other.mu).toBe(one.mu);
    expect(one.sigma).toBeLessThan(0.6 * start.sigma);
    expect(other.sigma).toBeCloseTo(0.6 * start.sigma, 12);
    expect({ ...after, state: null }).toEqual({ ...before, state: null });
  });

  it('never moves a mean at any time, and never exceeds the bound, however often and late it comes', () => {
    const times = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 500 }), (days, later) => {
        const plain = ratedBy(played);
        const signals = days.toSorted((a, b) => a - b).map((each) => signal(2 * day + each * day));
        const doubted = ratedBy([...played, ...signals]);
        const at = 600 * day + later * day;
        expect(beliefAt(doubted, at).mu).toBe(beliefAt(plain, at).mu);
        const bound = Math.max(0.6 * start.sigma, beliefAt(plain, 0).sigma);
        expect(beliefAt(doubted, 0).sigma).toBeLessThanOrEqual(bound * (1 + 1e-12));
        // Time without a match counts once.
        expect(beliefAt(doubted, at).sigma).toBeGreaterThanOrEqual(beliefAt(plain, at).sigma);
        expect(beliefAt(doubted, at).sigma).toBeLessThanOrEqual(start.sigma);
      }),
    );
  });

  it('makes the next match count for more', () => {
    const next = match('next', 31 * 3_600_000, [2, 1]);
    const change = (events: readonly (MatchEvent | SignalEvent)[]): number =>
      beliefAt(ratedBy([...events, next]), 0).mu - beliefAt(ratedBy(events), 0).mu;
    expect(change([...played, signal(30 * 3_600_000)])).toBeLessThan(2 * change(played));
  });

  it('does nothing under a model whose uncertainty follows other rules', () => {
    const elo = { ...pool, rules: { ...defaultPoolRules, model: 'elo' } };
    const events = played.slice(0, 5);
    const [first] = rateEvent(elo, signal(0), new Map()).players;
    expect(first?.before).toEqual(first?.after);
    expect<Json>(ratedBy([...events, signal(day)], elo).state).toEqual(ratedBy(events, elo).state);
  });

  it('shows no division of a season that is over', () => {
    const seasons = [
      {
        number: 1,
        name: 'One',
        keep: 0.5,
        uncertainty: 0.9,
        placementMatches: 1,
        startedAt: 2 * day,
        sequence: 99,
      },
    ];
    const ratings = new Map([['ann', ratedBy(played)]]);
    const [first] = rateEvent({ ...pool, seasons }, signal(3 * day, 0.2), ratings).players;
    expect(first?.rating).toMatchObject({ season: 1, seasonMatches: 0, division: null });
    expect(first?.ended).toMatchObject({ season: 0, playerId: 'ann' });
    // The season made it less certain than the signal may.
    expect(first?.after).toEqual(first?.before);
  });
});
