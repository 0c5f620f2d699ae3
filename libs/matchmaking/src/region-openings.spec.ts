import { openRegions, type WideningCurve } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAfter } from './curve.js';
import { compileRules } from './pool/compiled-rules.js';
import { defaultQueues } from './default-rules.js';
import { regionOpenings, type TicketReach } from './region-openings.js';

const now = 1_000_000;

function compiled(latencyLimitMs: WideningCurve): TicketReach['latencyAfter'] {
  const [rules] = defaultQueues;
  if (!rules) throw new Error('there are default queues');
  return compileRules({ ...rules, latencyLimitMs }).latencyAfter;
}

const reach = (
  latencies: Readonly<Record<string, number>>,
  limits: WideningCurve,
  waitedMs = 0,
): TicketReach => {
  const known = new Map(Object.entries(latencies));
  return {
    enqueuedAt: now - waitedMs,
    latencyTo: (region) => known.get(region) ?? Infinity,
    latencyAfter: compiled(limits),
  };
};

const ending = [
  { afterSeconds: 0, limit: 60 },
  { afterSeconds: 20, limit: 160 },
  { afterSeconds: 60, limit: null },
];

describe('the regions of a match by time', () => {
  it('open when the last of its tickets allows them; those that not all measured when limits end', () => {
    const ann = reach({ mars: 20, eu: 110, us: 30 }, ending, 15_000);
    const ben = reach({ mars: 30, eu: 110 }, ending);
    expect(regionOpenings([ann, ben], ['us', 'eu', 'mars'])).toEqual({
      regions: [
        { region: 'mars', latencyMs: 25, opensAt: now },
        { region: 'eu', latencyMs: 110, opensAt: now + 10_000 },
        { region: 'us', latencyMs: null, opensAt: now + 60_000 },
      ],
      anywhereAt: now + 60_000,
    });
  });

  it('never open beyond a last limit, and all open at once to players who measured none', () => {
    expect(regionOpenings([reach({ eu: 20, us: 161 }, ending.slice(0, 2))], ['eu', 'us'])).toEqual({
      regions: [{ region: 'eu', latencyMs: 20, opensAt: now }],
      anywhereAt: null,
    });
    expect(regionOpenings([], [])).toEqual({ regions: [], anywhereAt: 0 });
  });

  const names = ['eu', 'us', 'asia'];
  const someLimits = fc.constantFrom(ending, ending.slice(0, 2), ending.slice(0, 1), [
    { afterSeconds: 0, limit: null },
  ]);
  const someTickets = fc.array(
    fc.record({
      latencies: fc
        .dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 200 }))
        .filter((each) => Object.keys(each).length > 0),
      limits: someLimits,
      waitedMs: fc.integer({ min: 0, max: 90_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  );

  it('are those that every ticket allows by its curve at any later time, and stay open', () => {
    fc.assert(
      fc.property(someTickets, fc.array(fc.integer({ min: 0, max: 90_000 })), (tickets, laters) => {
        const measured = names.filter((name) =>
          tickets.some(({ latencies }) => Object.hasOwn(latencies, name)),
        );
        const openings = regionOpenings(
          tickets.map((each) => reach(each.latencies, each.limits, each.waitedMs)),
          measured,
        );
        let before: readonly string[] = [];
        for (const later of laters.toSorted((a, b) => a - b)) {
          const open = openRegions({ regions: [], openings }, now + later);
          const allows = (region: string): boolean =>
            tickets.every(({ latencies, limits, waitedMs }) => {
              const latency = new Map(Object.entries(latencies)).get(region) ?? Infinity;
              return latency <= limitAfter(limits, waitedMs + later);
            });
          expect(open.regions.toSorted()).toEqual(measured.filter(allows).toSorted());
          expect(open.anywhere).toBe(allows('mars'));
          expect(open.regions).toEqual(expect.arrayContaining([...before]));
          before = open.regions;
          const latencies = open.regions.map((region) => open.latencyMs?.get(region) ?? Infinity);
          expect(latencies).toEqual(latencies.toSorted((a, b) => a - b));
          if (!open.next) continue;
          const { region, inMs } = open.next;
          const next = openRegions({ regions: [], openings }, now + later + inMs);
          expect(region === null ? next.anywhere : next.regions.includes(region)).toBe(true);
        }
      }),
    );
  });

  it('are in their stored order alone when a release before proposed the match', () => {
    const open = { latencyMs: null, next: null };
    expect(openRegions({ regions: ['us', 'eu'] }, now)).toEqual({
      regions: ['us', 'eu'],
      anywhere: false,
      ...open,
    });
    expect(openRegions({ regions: [], openings: null }, now)).toEqual({
      regions: [],
      anywhere: true,
      ...open,
    });
  });
});
