import type { QueueRules, RecordedTicket, Ticket } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asRecorded } from './as-recorded.js';
import { compareTries, lopsided, type TryResult } from './try-result.js';
import { tryRules } from './try-rules.js';

const rules: QueueRules = {
  name: 'duel',
  mode: 'duel',
  pool: 'duel',
  teams: 2,
  teamSize: 1,
  maxPartySize: 1,
  skillWindow: [{ afterSeconds: 0, limit: null }],
  teamGap: [{ afterSeconds: 0, limit: null }],
  latencyLimitMs: [{ afterSeconds: 0, limit: null }],
  ticketTtlSeconds: 60,
  placementTimeoutSeconds: 60,
};
/** No ticket meets another more than three points away. */
const narrow: QueueRules = {
  ...rules,
  skillWindow: [{ afterSeconds: 0, limit: 3 }],
  teamGap: [{ afterSeconds: 0, limit: 3 }],
};

interface Wish {
  readonly at?: number;
  readonly mu?: number;
  readonly left?: number;
  readonly as?: RecordedTicket['outcome'];
  readonly players?: readonly string[];
  readonly match?: string;
}

function record(ticketId: string, wish: Wish = {}): RecordedTicket {
  const { at = 0, mu = 25, left, as = 'waiting', players = [`${ticketId}'s`], match } = wish;
  const ticket: Ticket = {
    ticketId,
    queue: 'duel',
    build: 'b1',
    players: players.map((playerId) => ({ playerId, mu, sigma: 2 })),
    latencyMs: {},
    rulesVersion: 7,
    enqueuedAt: at,
    expiresAt: at + 600_000,
    fingerprint: '',
  };
  return { ticket, outcome: as, leftAt: left ?? null, ...(match === undefined ? {} : { matchId: match }) };
}

const waits = (result: TryResult): unknown[] =>
  result.tickets.map(({ ticketId, outcome, waitMs }) => [ticketId, outcome, waitMs]);

describe('tryRules', () => {
  // Ann and Ben met at once, though they are five points apart; Cid had Ben's skill, gave up, and Dan waits for any
  // opponent.
  const hour = [
    record('ann', { at: 200, mu: 20, as: 'matched', left: 450, match: 'm1' }),
    record('ben', { at: 300, mu: 25, as: 'matched', left: 450, match: 'm1' }),
    record('cid', { at: 2_100, mu: 26, as: 'cancelled', left: 5_500 }),
    record('dan', { at: 7_000, mu: 40 }),
  ];
  const options = { tickMs: 1_000, from: 0, until: 20_000 };

  it('matches tickets by the tested rules, in virtual time', () => {
    const wide = tryRules(hour, rules, options);
    expect(waits(wide)).toEqual([
      ['ann', 'matched', 800],
      ['ben', 'matched', 700],
      ['cid', 'left', 3_400],
      ['dan', 'waiting', 13_000],
    ]);
    expect(wide).toMatchObject({ matches: 1, spread: 5, waitMs: { p50: 700, p90: 800, p99: 800 } });

    const close = tryRules(hour, narrow, options);
    expect(waits(close)).toEqual([
      ['ann', 'waiting', 19_800],
      ['ben', 'matched', 2_700],
      ['cid', 'matched', 900],
      ['dan', 'waiting', 13_000],
    ]);
    expect(close).toMatchObject({ matches: 1, spread: 1 });
    expect(close.unfairness).toBeLessThan(wide.unfairness ?? 0);
    expect(compareTries(wide, close)).toEqual({
      inBoth: 1,
      longer: { tickets: 1, median: 2_000 },
      shorter: { tickets: 0, median: 0 },
      fairer: { tickets: 1, median: expect.any(Number) },
      lessFair: { tickets: 0, median: 0 },
      gained: 1,
      lost: 1,
    });
  });

  it('lets tickets expire by the tested rules, and refuses parties that are too large for them', () => {
    const brief = { ...narrow, ticketTtlSeconds: 2 };
    const duo = record('eve', { at: 0, players: ['eve', 'fay'], as: 'matched', left: 100 });
    expect(waits(tryRules([...hour, duo], brief, options))).toEqual([
      ['ann', 'expired', 2_000],
      ['ben', 'expired', 2_000],
      ['cid', 'expired', 2_000],
      ['dan', 'expired', 2_000],
      ['eve', 'refused', 0],
    ]);
  });

  it('refuses players who still wait, and admits those who have just left', () => {
    const again = [
      record('one', { at: 0, players: ['ann'], as: 'matched', left: 100 }),
      record('two', { at: 3_000, players: ['ann'], as: 'matched', left: 3_100 }),
      record('three', { at: 0, players: ['ben'], mu: 60, as: 'cancelled', left: 500 }),
      record('four', { at: 500, players: ['ben'], mu: 60 }),
    ];
    expect(waits(tryRules(again, narrow, { ...options, until: 5_000 }))).toEqual([
      ['four', 'waiting', 4_500],
      ['one', 'waiting', 5_000],
      ['three', 'left', 500],
      ['two', 'busy', 0],
    ]);
  });

  it('begins with the tickets that waited by then', () => {
    const early = [record('ann', { at: 0 }), record('ben', { at: 90_000 })];
    const long = { ...rules, ticketTtlSeconds: 600 };
    const result = tryRules(early, long, { tickMs: 1_000, from: 100_000, until: 200_000 });
    expect(waits(result)).toEqual([
      ['ann', 'matched', 100_000],
      ['ben', 'matched', 10_000],
    ]);
  });

  it('of an empty record is empty', () => {
    expect(tryRules([], rules, options)).toMatchObject({ matches: 0, waitMs: null, unfairness: null });
  });
});

describe('asRecorded', () => {
  it('judges a recorded match as the matcher does', () => {
    const met = { as: 'matched', left: 1_000, match: 'm1' } as const;
    const made = [record('ann', { mu: 20, ...met }), record('ben', { mu: 27, ...met })];
    const was = asRecorded(made, rules, 10_000);
    const tried = tryRules(made, rules, { tickMs: 1_000, from: 0, until: 10_000 });
    expect(was).toMatchObject({ matches: 1, spread: 7, waitMs: { p50: 1_000 } });
    expect(was.unfairness).toBeCloseTo(tried.unfairness ?? NaN, 12);
    expect(was.unfairness).toBeGreaterThan(0);
    expect(was.tickets.map(({ unfairness }) => unfairness)).toEqual([was.unfairness, was.unfairness]);
  });

  it('supports parties, bots and smaller teams, and does not judge incomplete matches', () => {
    const teams = {
      ...rules,
      teamSize: 2,
      maxPartySize: 2,
      smallerTeams: [{ afterSeconds: 9, teamSize: 1 }],
    };
    const met = (match: string) => ({ as: 'matched', left: 1_000, match }) as const;
    const three = [
      record('a', { players: ['a1', 'a2'], mu: 30, ...met('m1') }),
      record('b', { mu: 20, ...met('m1') }),
    ];
    expect(asRecorded(three, teams, 10_000)).toMatchObject({ matches: 1, unfairness: null, spread: 10 });
    const bots = { afterSeconds: 10, skill: 40, minPlayers: 2 };
    expect(asRecorded(three, { ...teams, bots }, 10_000).unfairness).toBeCloseTo(0, 12);
    const whole = [...three, record('c', { mu: 40, ...met('m1') })];
    expect(asRecorded(whole, teams, 10_000).unfairness).toBeCloseTo(0, 12);
    const small = [record('d', { ...met('m2') }), record('e', { ...met('m2') })];
    expect(asRecorded(small, teams, 10_000).unfairness).toBeCloseTo(0, 12);
  });
});

describe('any record', () => {
  const until = 120_000;
  const records = fc
    .array(
      fc.record({
        at: fc.nat({ max: 100_000 }),
        mu: fc.integer({ min: 15, max: 35 }),
        stays: fc.nat({ max: 30_000 }),
        as: fc.constantFrom('matched', 'cancelled', 'expired', 'waiting'),
        players: fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's', 't', 'u', 'v', 'w'), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      { maxLength: 40 },
    )
    .map((wishes) =>
      wishes.map(({ stays, ...wish }, i) =>
        record(`t${i}`, { ...wish, ...(wish.as === 'waiting' ? {} : { left: wish.at + stays }) }),
      ),
    );
  const tried: QueueRules = {
    ...rules,
    teamSize: 2,
    maxPartySize: 2,
    skillWindow: [
      { afterSeconds: 0, limit: 4 },
      { afterSeconds: 20, limit: 12 },
    ],
    ticketTtlSeconds: 30,
  };
  const options = { tickMs: 500, from: 10_000, until };

  it('gives each ticket one outcome, never matched before its arrival, nor after its departure', () => {
    fc.assert(
      fc.property(records, (recorded) => {
        const { ends, tickets, matches } = tryRules(recorded, tried, options);
        expect(tickets.map(({ ticketId }) => ticketId)).toEqual(
          recorded.map(({ ticket }) => ticket.ticketId).toSorted(),
        );
        expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(recorded.length);
        let players = 0;
        for (const { ticketId, outcome, waitMs } of tickets) {
          const {
            ticket,
            outcome: was,
            leftAt,
          } = recorded.find((each) => each.ticket.ticketId === ticketId)!;
          expect(outcome === 'refused').toBe(ticket.players.length > tried.maxPartySize);
          if (outcome === 'left')
            expect([was, waitMs]).toEqual(['cancelled', (leftAt ?? NaN) - ticket.enqueuedAt]);
          if (outcome === 'expired') expect(waitMs).toBe(30_000);
          if (outcome === 'waiting') expect(waitMs).toBe(until - ticket.enqueuedAt);
          if (outcome !== 'matched') continue;
          players += ticket.players.length;
          expect(waitMs).toBeLessThan(30_000);
          expect(ticket.enqueuedAt + waitMs).toBeGreaterThanOrEqual(
            Math.max(ticket.enqueuedAt, options.from),
          );
          if (was === 'cancelled') expect(ticket.enqueuedAt + waitMs).toBeLessThan(leftAt ?? NaN);
        }
        expect(players).toBe(matches * 4);
      }),
      { numRuns: 200 },
    );
  });

  it('is independent of the order, and of duplicate tickets', () => {
    fc.assert(
      fc.property(
        records.chain((recorded) =>
          fc.tuple(
            fc.constant(recorded),
            fc.shuffledSubarray([...recorded, ...recorded.slice(0, 3)], {
              minLength: recorded.length + Math.min(3, recorded.length),
            }),
          ),
        ),
        ([recorded, shuffled]) => {
          expect(tryRules(shuffled, tried, options)).toEqual(tryRules(recorded, tried, options));
          expect(asRecorded(shuffled, tried, until)).toEqual(asRecorded(recorded, tried, until));
        },
      ),
      { numRuns: 100 },
    );
  });
});

it('counts beyond 40–60 % of two teams as lopsided, and the equivalent of three', () => {
  expect(lopsided(0.099, 2)).toBe(false);
  expect(lopsided(0.101, 2)).toBe(true);
  expect(lopsided(0.399 - 1 / 3, 3)).toBe(false);
  expect(lopsided(0.401 - 1 / 3, 3)).toBe(true);
});
