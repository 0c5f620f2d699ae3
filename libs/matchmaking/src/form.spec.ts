import { skillOf, type QueueRules, type Ticket } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAfter, waitUntilAllowed } from './curve.js';
import { defaultQueues } from './default-rules.js';
import { explainWaiting } from './explain.js';
import { formMatches } from './form.js';
import { fits } from './packing.js';

const [fiveByFive] = defaultQueues as [QueueRules, ...QueueRules[]];
const now = 1_000_000_000;

function ticket(id: number, skill: number, size = 1, waitedMs = 0, more: Partial<Ticket> = {}): Ticket {
  return {
    ticketId: `t${String(id).padStart(4, '0')}`,
    queue: '5v5',
    build: 'b1',
    players: Array.from({ length: size }, (_, i) => ({ playerId: `p${id}-${i}`, mu: skill, sigma: 8 })),
    latencyMs: {},
    enqueuedAt: now - waitedMs,
    expiresAt: now + 600_000,
    fingerprint: '',
    ...more,
  };
}

const anyGap = (): number => 0;

const pools = fc
  .array(
    fc.record({
      skill: fc.integer({ min: 0, max: 50 }),
      size: fc.constantFrom(1, 1, 1, 2, 3, 4, 5),
      waitedMs: fc.integer({ min: 0, max: 90_000 }),
      build: fc.constantFrom('b1', 'b1', 'b1', 'b2'),
      eu: fc.integer({ min: 10, max: 200 }),
      us: fc.integer({ min: 10, max: 200 }),
      regional: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) =>
    list.map((t, i) =>
      ticket(i, t.skill, t.size, t.waitedMs, {
        build: t.build,
        latencyMs: t.regional ? { eu: t.eu, us: t.us } : {},
      }),
    ),
  );

describe('C3 forming matches', () => {
  it('keeps every rule, whatever the pool', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const groups = formMatches(pool, fiveByFive, now, anyGap);
        const seen = new Set<string>();
        for (const { tickets, regions } of groups) {
          for (const { ticketId } of tickets) {
            expect(seen.has(ticketId)).toBe(false);
            seen.add(ticketId);
          }
          expect(tickets.reduce((sum, t) => sum + t.players.length, 0)).toBe(10);
          expect(new Set(tickets.map((t) => t.build)).size).toBe(1);
          expect(
            fits(
              tickets.map((t) => t.players.length),
              2,
              5,
            ),
          ).toBe(true);
          // Not always the one that waited longest: that one may have found no match of its own and be in another's.
          const [anchor] = tickets as [Ticket, ...Ticket[]];
          const window = limitAfter(fiveByFive.skillWindow, now - anchor.enqueuedAt);
          const widest = Math.max(...tickets.map((t) => Math.abs(skillOf(t) - skillOf(anchor))));

          expect(widest).toBeLessThanOrEqual(window);
          for (const t of tickets) {
            if (Object.keys(t.latencyMs).length === 0) continue;
            const limit = limitAfter(fiveByFive.latencyLimitMs, now - t.enqueuedAt);
            expect(regions.length).toBeGreaterThan(0);
            for (const region of regions) expect(t.latencyMs[region]).toBeLessThanOrEqual(limit);
          }
        }
      }),
    );
  });

  it('gives the same answer for the same pool in another order', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        expect(formMatches(pool.toReversed(), fiveByFive, now, anyGap)).toEqual(
          formMatches(pool, fiveByFive, now, anyGap),
        );
      }),
    );
  });

  it('starves nobody: past the last corner an outlier gets its match', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => ticket(i, 25));
    expect(
      formMatches([...crowd, ticket(99, 90, 1, 10_000)], fiveByFive, now, anyGap)[0]?.tickets.map(
        (t) => t.ticketId,
      ),
    ).not.toContain('t0099');
    expect(
      formMatches([...crowd, ticket(99, 90, 1, 45_000)], fiveByFive, now, anyGap)[0]?.tickets[0]?.ticketId,
    ).toBe('t0099');
  });

  it('does not seat three parties of three in two teams of five', () => {
    expect(fits([3, 3, 3], 2, 5)).toBe(false);
    expect(fits([3, 3, 2, 2], 2, 5)).toBe(true);
    expect(fits([4, 4, 2], 2, 5)).toBe(false);
    expect(
      formMatches([ticket(1, 25, 4), ticket(2, 25, 4), ticket(3, 25, 2)], fiveByFive, now, anyGap),
    ).toEqual([]);
    expect(
      formMatches(
        [ticket(1, 25, 4), ticket(2, 25, 4), ticket(3, 25, 2), ticket(4, 26), ticket(5, 26)],
        fiveByFive,
        now,
        anyGap,
      ),
    ).toHaveLength(1);
  });

  it('waits for even teams while the anchor is fresh, and takes the most even there is once it has waited', () => {
    const pool = Array.from({ length: 12 }, (_, i) => ticket(i, 25 + (i % 4) / 2, 1, i === 0 ? 10_000 : 0));
    const gapOf = (tickets: readonly Ticket[]): number =>
      tickets.some((t) => t.ticketId === 't0011') ? 7 : 50;
    const late = {
      ...fiveByFive,
      teamGap: [
        { afterSeconds: 0, limit: 3 },
        { afterSeconds: 10, limit: 8 },
      ],
    };
    expect(formMatches(pool, late, now - 9_000, gapOf)).toEqual([]);
    expect(formMatches(pool, late, now, gapOf)[0]?.tickets.map((t) => t.ticketId)).toContain('t0011');
    expect(formMatches(pool, late, now, () => Infinity)).toEqual([]);
  });

  it('says why in words, and why not yet', () => {
    const ten = Array.from({ length: 10 }, (_, i) => ticket(i, 25 + i / 10, 1, 4_000));
    expect(formMatches(ten, fiveByFive, now, anyGap)[0]?.why.join(' ')).toMatch(
      /10 players within 0\.9 rating points.*4\.0 s/,
    );
    const few = ten.slice(0, 7);
    expect(explainWaiting(few[0] ?? ticket(0, 0), few, fiveByFive, now)).toMatch(
      /7 of 10 players are here.*3 more/,
    );
    const outlier = ticket(99, 40, 1, 0);
    expect(explainWaiting(outlier, [...ten, outlier], fiveByFive, now)).toMatch(
      /the window is 4\.0; it will in 1[34] s/,
    );
  });
});

describe('widening curves', () => {
  it('are linear between corners, flat after the last, and know when they reach a value', () => {
    const curve = fiveByFive.skillWindow;
    expect(limitAfter(curve, 0)).toBe(4);
    expect(limitAfter(curve, 2_500)).toBe(6);
    expect(limitAfter(curve, 20_000)).toBe(20);
    expect(limitAfter(curve, 44_999)).toBe(20);
    expect(limitAfter(curve, 45_000)).toBe(Infinity);
    expect(waitUntilAllowed(curve, 6)).toBe(2_500);
    expect(waitUntilAllowed(curve, 21)).toBe(45_000);
    expect(waitUntilAllowed([{ afterSeconds: 0, limit: 4 }], 5)).toBeNull();
    fc.assert(
      fc.property(fc.nat(120_000), fc.nat(120_000), (a, b) => {
        expect(limitAfter(curve, Math.min(a, b))).toBeLessThanOrEqual(limitAfter(curve, Math.max(a, b)));
      }),
    );
  });
});
