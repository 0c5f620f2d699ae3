import { seededRandom, type QueueRules, type Ticket } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { WaitingPool } from './waiting-pool.js';

const now = 1_000_000_000;

const rules: QueueRules = {
  name: 'test',
  mode: 'test',
  pool: 'test',
  teams: 2,
  teamSize: 1,
  maxPartySize: 1,
  skillWindow: [{ afterSeconds: 0, limit: 4 }],
  teamGap: [{ afterSeconds: 0, limit: null }],
  latencyLimitMs: [
    { afterSeconds: 0, limit: 60 },
    { afterSeconds: 20, limit: 60 },
    { afterSeconds: 20, limit: 150 },
    { afterSeconds: 600, limit: 150 },
  ],
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 60,
};

function ticket(ticketId: string, mu: number, latencyMs: Record<string, number> = {}): Ticket {
  return {
    ticketId,
    queue: 'test',
    build: 'b',
    players: [{ playerId: ticketId, mu, sigma: 8 }],
    latencyMs,
    enqueuedAt: now,
    expiresAt: now + 600_000,
    fingerprint: '',
  };
}

/** Removes what a tick formed, as the matcher does. @returns the tickets of each match */
function form(pool: WaitingPool, at: number): string[] {
  return pool.tick(at).proposals.map(({ tickets }) => {
    for (const id of tickets) pool.remove(id);
    return tickets.toSorted().join();
  });
}

/** What the first of twelve ticks forms that forms anything. 600 tickets without an opponent are replaced before each. */
function formedAmongChanges(pool: WaitingPool): string[] {
  const formed: string[] = [];
  for (let turn = 0; turn < 12 && formed.length === 0; turn++) {
    for (let i = 0; i < 600; i++) {
      pool.remove(`${turn - 1} ${i}`);
      pool.add(ticket(`${turn} ${i}`, 100 * i));
    }
    formed.push(...form(pool, now));
  }
  return formed;
}

describe('a tick with a work limit', () => {
  it('goes on where the last one stopped, though places before it change in every tick', () => {
    const pool = new WaitingPool(rules, { bound: { steps: 400, splits: 400, boundSplits: 10 } });
    pool.add(ticket('last 1', 90_000));
    pool.add(ticket('last 2', 90_000));
    expect(formedAmongChanges(pool)).toEqual(['last 1,last 2']);
  });

  it('goes on with the next lane, and comes back to the first', () => {
    const pool = new WaitingPool(rules, { bound: { steps: 100, splits: 100, boundSplits: 10 } });
    for (const [r, region] of ['asia', 'eu', 'us'].entries()) {
      for (let i = 0; i < 60; i++) pool.add(ticket(`${region} ${i}`, 100 * i, { [region]: 20 }));
      pool.add(ticket(`${region} pair`, 100 * 10 * (r + 1), { [region]: 20 }));
    }
    const formed: string[] = [];
    for (let turn = 0; turn < 12; turn++) formed.push(...form(pool, now));
    expect(formed.toSorted()).toEqual(['asia 10,asia pair', 'eu 20,eu pair', 'us 30,us pair']);
  });

  it('leaves work to late tickets, however much the sweep has to do', () => {
    const twos: QueueRules = { ...rules, teamSize: 2, smallerTeams: [{ afterSeconds: 5, teamSize: 1 }] };
    const pool = new WaitingPool(twos, { bound: { steps: 400, splits: 400, boundSplits: 10 } });
    for (const id of ['late 1', 'late 2']) pool.add({ ...ticket(id, 90_000), enqueuedAt: now - 6_000 });
    expect(formedAmongChanges(pool)).toEqual(['late 1,late 2']);
  });
});

describe('a tick that takes in some newcomers', () => {
  const random = seededRandom(3);
  const tickets = Array.from({ length: 40 }, (_, i) => ticket(`t${i}`, 10 + 20 * random()));

  it('is followed by others until every ticket that has an opponent is in a match', () => {
    const pool = new WaitingPool(rules, { intake: 7 });
    for (const each of tickets) pool.add(each);
    const formed = form(pool, now);
    expect(pool.tick(now).work.finished).toBe(false);
    for (let turn = 0; turn < 10; turn++) formed.push(...form(pool, now));
    expect(pool.tick(now).work.finished).toBe(true);
    const left = tickets
      .filter(({ ticketId }) => pool.has(ticketId))
      .map(({ players: [one] }) => one?.mu ?? 0);
    expect(new Set(formed.flatMap((match) => match.split(','))).size).toBe(2 * formed.length);
    expect(left.length).toBe(tickets.length - 2 * formed.length);
    for (const [i, mu] of left.entries())
      for (const other of left.slice(i + 1)) expect(Math.abs(mu - other)).toBeGreaterThan(4);
  });

  it('explains the wait of each by all the tickets that wait', () => {
    const limited = new WaitingPool(rules, { intake: 3 });
    const all = new WaitingPool(rules);
    for (const each of tickets) for (const pool of [limited, all]) pool.add(each);
    limited.tick(now);
    all.tick(now);
    for (const { ticketId } of tickets.toReversed())
      expect(limited.explain(ticketId, now)).toEqual(all.explain(ticketId, now));
  });

  it('adds a ticket to a region that opened some ticks before its turn', () => {
    const pool = new WaitingPool(rules, { intake: 2 });
    for (let i = 0; i < 6; i++) pool.add(ticket(`other ${i}`, 1_000 * (i + 1), { eu: 20, us: 100 }));
    pool.add(ticket('far', 25, { eu: 20, us: 100 }));
    pool.add(ticket('near', 25, { us: 20 }));
    const formed: string[] = [];
    for (let at = now; at < now + 25_000; at += 500) formed.push(...form(pool, at));
    expect(formed).toEqual(['far,near']);
  });
});
