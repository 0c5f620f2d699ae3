import type { QueueRules, Ticket } from '@muster/domain';
import { limitAfter } from '@muster/matchmaking';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeOf } from '../world/teams.js';
import { baselines, FirstCome, FirstFit, SlidingWindow } from './index.js';

const rulesOf = (teamSize: number, more: Partial<QueueRules> = {}): QueueRules => ({
  name: 'q',
  mode: 'm',
  pool: 'p',
  teams: 2,
  teamSize,
  maxPartySize: teamSize,
  skillWindow: [
    { afterSeconds: 0, limit: 2 },
    { afterSeconds: 10, limit: 12 },
    { afterSeconds: 60, limit: null },
  ],
  teamGap: [{ afterSeconds: 0, limit: null }],
  latencyLimitMs: [
    { afterSeconds: 0, limit: 80 },
    { afterSeconds: 30, limit: null },
  ],
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 60,
  ...more,
});

let made = 0;
const ticketOf = (mus: readonly number[], more: Partial<Ticket> = {}): Ticket => {
  const ticketId = more.ticketId ?? `t${made++}`;
  return {
    ticketId,
    queue: 'q',
    build: '1',
    players: mus.map((mu, i) => ({ playerId: `${ticketId}-${i}`, mu, sigma: 2 })),
    latencyMs: {},
    enqueuedAt: 0,
    expiresAt: 1e9,
    fingerprint: '',
    ...more,
  };
};

const open = (rules: QueueRules) => ({ rules, judge: judgeOf(rules, 4) });

describe.each(baselines)('$name', ({ name, hasWindow, open: openBaseline }) => {
  const anyTicket = fc.record({
    mus: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 3 }),
    build: fc.constantFrom('1', '2'),
    latencyMs: fc.option(
      fc.record({ eu: fc.integer({ min: 1, max: 200 }), na: fc.integer({ min: 1, max: 200 }) }),
      {
        nil: undefined,
      },
    ),
    enqueuedAt: fc.integer({ min: 0, max: 40_000 }),
  });

  it('proposes disjoint sets that satisfy the rules, deterministically', () => {
    fc.assert(
      fc.property(fc.array(anyTicket, { maxLength: 40 }), (given) => {
        const rules = rulesOf(3);
        const now = 45_000;
        const tickets = given.map(({ mus, build, latencyMs, enqueuedAt }, i) =>
          ticketOf(mus, { ticketId: `x${i}`, build, latencyMs: latencyMs ?? {}, enqueuedAt }),
        );
        const run = () => {
          const matcher = openBaseline(open(rules));
          for (const ticket of tickets) matcher.add(ticket);
          return matcher.tick(now);
        };
        const { proposals } = run();
        expect(run().proposals).toEqual(proposals);
        const ids = proposals.flatMap((proposal) => proposal.tickets);
        expect(new Set(ids).size).toBe(ids.length);
        for (const proposal of proposals) {
          const set = tickets.filter(({ ticketId }) => proposal.tickets.includes(ticketId));
          expect(set.reduce((sum, { players }) => sum + players.length, 0)).toBe(6);
          expect(new Set(set.map(({ build }) => build)).size).toBe(1);
          const accepts = (ticket: Ticket, region: string): boolean =>
            Object.keys(ticket.latencyMs).length === 0 ||
            (ticket.latencyMs[region] ?? Infinity) <=
              limitAfter(rules.latencyLimitMs, now - ticket.enqueuedAt);
          const shared = ['eu', 'na'].filter((region) => set.every((ticket) => accepts(ticket, region)));
          const isAny = set.every(({ latencyMs }) => Object.keys(latencyMs).length === 0);
          expect([...proposal.regions].toSorted()).toEqual(isAny ? [] : shared);
          expect(isAny || shared.length > 0).toBe(true);
          // An impossible split makes the judge throw.
          expect(proposal.figures.gap).toBeGreaterThanOrEqual(0);
          if (!hasWindow) continue;
          const widest = Math.max(
            ...set.map(({ enqueuedAt }) => limitAfter(rules.skillWindow, now - enqueuedAt)),
          );
          expect(proposal.figures.spread).toBeLessThanOrEqual(widest);
        }
      }),
    );
  });

  it('leaves proposed tickets in the pool, and forgets removed ones', () => {
    const matcher = openBaseline(open(rulesOf(1)));
    const pair = [ticketOf([20]), ticketOf([20])];
    for (const ticket of pair) matcher.add(ticket);
    expect(matcher.tick(0).proposals).toHaveLength(1);
    expect(matcher.size).toBe(2);
    const [gone = ticketOf([0])] = pair;
    expect(matcher.remove(gone.ticketId)).toBe(true);
    expect(matcher.remove(gone.ticketId)).toBe(false);
    expect(matcher.size).toBe(1);
    expect(matcher.tick(1).proposals).toEqual([]);
  });

  it('has a unique name', () => {
    expect(baselines.filter((each) => each.name === name)).toHaveLength(1);
  });
});

describe('the choice of opponents', () => {
  const rules = rulesOf(1, { skillWindow: [{ afterSeconds: 0, limit: 5 }] });
  const oldest = ticketOf([20], { ticketId: 'oldest', enqueuedAt: 0 });
  const far = ticketOf([40], { ticketId: 'far', enqueuedAt: 1 });
  const near = ticketOf([24], { ticketId: 'near', enqueuedAt: 2 });
  const nearest = ticketOf([25], { ticketId: 'nearest', enqueuedAt: 3 });

  it('first come takes the next, first fit the next within the window, the sliding window the closest pair', () => {
    const chosen = [FirstCome, FirstFit, SlidingWindow].map((Kind) => {
      const matcher = new Kind(open(rules));
      for (const ticket of [nearest, near, far, oldest]) matcher.add(ticket);
      return matcher.tick(10).proposals.map(({ tickets }) => [...tickets].toSorted().join('+'));
    });
    expect(chosen).toEqual([['far+oldest', 'near+nearest'], ['near+oldest'], ['near+nearest']]);
  });
});
