import type { QueueRules, Ticket } from '@muster/domain';
import { defaultQueues, WaitingPool, type Matchmaker } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { FirstCome, judgeOf, populationPresets, simulate, type Population } from './index.js';

function preset(name: string): Population {
  const population = populationPresets.get(name);
  if (!population) throw new Error(`no preset ${name}`);
  return population;
}

const [fives, duels] = defaultQueues;
if (!fives || !duels) throw new Error('no built-in queues');
const muster = (rules: QueueRules): Matchmaker => new WaitingPool(rules);
const firstCome = (rules: QueueRules): Matchmaker => new FirstCome({ rules, judge: judgeOf(rules, 25 / 6) });

describe('simulate', () => {
  const tiny = { population: preset('5v5-100'), rules: fives, days: 0.05, warmUpHours: 0.2, seed: 7 };

  it('is deterministic for a seed, and differs for another', () => {
    const once = simulate({ ...tiny, matcher: muster });
    expect(simulate({ ...tiny, matcher: muster })).toEqual(once);
    expect(simulate({ ...tiny, seed: 8, matcher: muster }).all).not.toEqual(once.all);
  });

  it.each([
    ['5v5-30', fives],
    ['5v5-300', fives],
    ['1v1-300', duels],
  ] as const)('ends every ticket of %s once', (name, rules) => {
    const population = preset(name);
    const impatient = { ...population, patience: { medianSeconds: 20, spread: 1 }, noShow: 0.05 };
    for (const matcher of [muster, firstCome]) {
      const { tickets } = simulate({ ...tiny, population: impatient, rules, matcher });
      expect(tickets.queued).toBeGreaterThan(0);
      expect(tickets.gaveUp).toBeGreaterThan(0);
      expect(tickets.matched + tickets.gaveUp + tickets.expired + tickets.waiting).toBe(tickets.queued);
    }
  });

  it('has counts that add up for players of every kind', () => {
    const { all, regions, bands, hours } = simulate({ ...tiny, matcher: muster });
    const sum = (kinds: readonly { matched: number }[]): number =>
      kinds.reduce((total, { matched }) => total + matched, 0);
    expect(all.matched).toBeGreaterThan(0);
    expect(sum(Object.values(regions))).toBe(all.matched);
    expect(sum(bands)).toBe(all.matched);
    expect(hours.length).toBe(2);
  });

  it('gives every matcher the same input: the same first tickets at the same times', () => {
    const told = (open: (rules: QueueRules) => Matchmaker): Ticket[] => {
      const seen: Ticket[] = [];
      const watched = (rules: QueueRules): Matchmaker => {
        const inner = open(rules);
        return {
          get size() {
            return inner.size;
          },
          add: (ticket) => {
            seen.push(ticket);
            inner.add(ticket);
          },
          remove: (ticketId) => inner.remove(ticketId),
          tick: (now) => inner.tick(now),
        };
      };
      simulate({ ...tiny, days: 0.01, matcher: watched });
      return seen.slice(0, 20);
    };
    expect(told(muster)).toEqual(told(firstCome));
  });

  it('has everybody give up on a matcher that never matches', () => {
    const lonely = {
      ...preset('1v1-30'),
      concurrentPlayers: 0.2,
      newcomers: { ...preset('1v1-30').newcomers, share: 0 },
    };
    const neverMatched = (): Matchmaker => {
      const waiting = new Set<string>();
      return {
        get size() {
          return waiting.size;
        },
        add: ({ ticketId }) => void waiting.add(ticketId),
        remove: (ticketId) => waiting.delete(ticketId),
        tick: () => ({ proposals: [], held: 0, work: { steps: 0, splits: 0, finished: true } }),
      };
    };
    const { tickets, matches, all } = simulate({
      ...tiny,
      population: lonely,
      rules: duels,
      days: 1,
      matcher: neverMatched,
    });
    expect(matches).toBe(0);
    expect(tickets.matched).toBe(0);
    expect(tickets.queued).toBeGreaterThan(0);
    expect(tickets.gaveUp + tickets.expired + tickets.waiting).toBe(tickets.queued);
    expect(all.gaveUp).toBe(1);
  });

  it('is even by rating and by skill where all players are equal and known', () => {
    const base = preset('1v1-300');
    const alike: Population = {
      ...base,
      skill: { ...base.skill, sigma: 1e-9, ratingError: 1e-6 },
      newcomers: { ...base.newcomers, share: 0 },
    };
    const { all } = simulate({ ...tiny, population: alike, rules: duels, days: 0.02, matcher: firstCome });
    expect(all.matched).toBeGreaterThan(100);
    expect(all.unfairness.actual).toBeLessThan(1e-6);
    expect(all.lopsided.actual).toBe(0);
  });

  it('has nobody wait longer than a few ticks on a busy queue', () => {
    const busy = { ...preset('1v1-3k'), connectionMs: 0, noShow: 0 };
    const { all } = simulate({ ...tiny, population: busy, rules: duels, days: 0.003, matcher: firstCome });
    // Half a tick on average, and occasionally another.
    expect(all.waitMs.p50).toBeLessThan(1_500);
    expect(all.waitMs.p90).toBeLessThan(3_000);
    expect(all.gaveUp).toBe(0);
  });

  it('reports a matcher that proposes a ticket which does not wait', () => {
    const broken = (rules: QueueRules): Matchmaker => {
      const inner = firstCome(rules);
      return {
        get size() {
          return inner.size;
        },
        add: (ticket) => inner.add(ticket),
        remove: (ticketId) => inner.remove(ticketId),
        tick: (now) => {
          const tick = inner.tick(now);
          return { ...tick, proposals: [...tick.proposals, ...tick.proposals] };
        },
      };
    };
    expect(() => simulate({ ...tiny, matcher: broken })).toThrow(/which does not wait/);
  });

  it('has parties play against bots alone where the rules allow it', () => {
    const rules: QueueRules = {
      ...fives,
      teamSize: 3,
      maxPartySize: 2,
      bots: { afterSeconds: 5, skill: 20, minPlayers: 2 },
    };
    const population = { ...preset('5v5-30'), noShow: 0 };
    const { tickets, matches } = simulate({ ...tiny, population, rules, days: 0.1, matcher: muster });
    expect(matches).toBeGreaterThan(0);
    expect(tickets.gaveUp).toBeLessThan(tickets.matched / 10);
  });
});

describe('newcomers', () => {
  it('are calibrated by the rules, except for the control group', () => {
    const base = preset('1v1-300');
    const population: Population = {
      ...base,
      match: { minutes: 1, spreadMinutes: 0 },
      newcomers: { ...base.newcomers, share: 0.2, matches: 12, smurfs: 0 },
    };
    const of = (calibrationMatches: number, days = 0.05) =>
      simulate({
        population,
        rules: { ...duels, calibrationMatches },
        matcher: muster,
        seed: 3,
        days,
        warmUpHours: 0.5,
      }).placement;
    const with10 = of(10);
    expect(with10.calibrated.players).toBeGreaterThan(100);
    expect(with10.plain.players).toBeGreaterThan(100);
    expect(of(0, 0.025).calibrated.players).toBe(0);
    for (const { error, settled } of [with10.calibrated, with10.plain]) {
      expect(error).toHaveLength(13);
      expect(error[0]).toBeGreaterThan(0.8);
      expect(error[12]).toBeLessThan(0.6);
      expect(settled).toEqual(settled.toSorted((a, b) => a - b));
    }
  });
});
