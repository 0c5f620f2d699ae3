import type { QueueRules, Ticket } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { defaultQueues } from '../../default-rules.js';
import { TicketTable, unmeasured } from './ticket-table.js';
import { WaitingPool } from '../waiting-pool.js';

const [, duel] = defaultQueues as [QueueRules, QueueRules];
const now = 1_000_000_000;
const ticket = (id: string, latencyMs: Record<string, number> = {}): Ticket => ({
  ticketId: id,
  queue: '1v1',
  build: 'b',
  players: [{ playerId: id, mu: 25, sigma: 8 }],
  latencyMs,
  enqueuedAt: now,
  expiresAt: now + 600_000,
  fingerprint: '',
});

describe('regions', () => {
  it('that no ticket measured any more take no room: one client may invent thousands', () => {
    const table = new TicketTable();
    table.insert(ticket('stays', { eu: 20 }), 0, 0);
    for (let i = 0; i < 100; i++) {
      const invented = Object.fromEntries(Array.from({ length: 32 }, (_, j) => [`r${i}-${j}`, 10]));
      const slot = table.insert(ticket(`t${i}`, invented), 0, 0);
      table.kill(slot);
      expect(table.releaseRegions()).toHaveLength(32);
      table.release(slot);
    }
    expect(table.regions.length).toBe(33);
    expect(table.regions.filter((region) => region !== '')).toEqual(['eu']);
    expect(table.latencyOf(0, 0)).toBe(20);
  });

  it('get freed numbers and keep nothing of the previous owner', () => {
    const table = new TicketTable();
    const gone = table.insert(ticket('gone', { eu: 20, us: 30 }), 0, 0);
    const stays = table.insert(ticket('stays', { us: 40 }), 0, 0);
    table.kill(gone);
    expect(table.releaseRegions()).toEqual([0]);
    table.release(gone);
    const comes = table.insert(ticket('comes', { asia: 50 }), 0, 0);
    expect(table.regions).toEqual(['asia', 'us']);
    expect([table.latencyOf(stays, 0), table.latencyOf(comes, 0)]).toEqual([unmeasured, 50]);
    expect([table.latencyOf(stays, 1), table.latencyOf(comes, 1)]).toEqual([40, unmeasured]);
  });

  it('that come and go leave other tickets their matches, including those that accept any region', () => {
    const pool = new WaitingPool(duel);
    const pairs = (at: number) => pool.tick(at).proposals.map(({ tickets }) => tickets.toSorted().join());
    pool.add(ticket('any'));
    pool.add(ticket('eu', { eu: 20 }));
    expect(pairs(now + 1_000)).toEqual(['any,eu']);
    pool.remove('eu');
    expect(pairs(now + 1_100)).toEqual([]);
    pool.add(ticket('us', { us: 20 }));
    expect(pairs(now + 1_200)).toEqual(['any,us']);
    pool.remove('us');
    pool.add(ticket('asia', { asia: 20 }));
    pool.add(ticket('eu', { eu: 20 }));
    pool.remove('any');
    expect(pairs(now + 2_000)).toEqual([]);
    pool.add(ticket('again', { eu: 20 }));
    expect(pairs(now + 3_000)).toEqual(['again,eu']);
  });
});

describe('maps', () => {
  it('beyond the thirty-second are not confused with others', () => {
    const names = Array.from({ length: 70 }, (_, i) => `map ${i}`);
    const pool = new WaitingPool({ ...duel, maps: { names, agreeSeconds: null } });
    const wishes = (id: string, ...maps: number[]): Ticket => ({
      ...ticket(id),
      maps: maps.map((i) => names[i] ?? ''),
    });
    pool.add(wishes('a', 0, 1));
    pool.add(wishes('b', 32, 64));
    expect(pool.tick(now + 1_000).proposals).toEqual([]);
    pool.add(wishes('c', 69, 64));
    expect(pool.tick(now + 2_000).proposals).toMatchObject([{ map: 'map 64' }]);
  });

  describe('of a queue whose list changes while tickets wait', () => {
    const withMaps = (agreeSeconds: number | null, ...names: string[]): QueueRules =>
      names.length === 0 ? duel : { ...duel, maps: { names, agreeSeconds } };
    const wishing = (id: string, rulesVersion: number, ...maps: string[]): Ticket => ({
      ...ticket(id),
      rulesVersion,
      maps,
    });
    const mapOf = (
      agreeSeconds: number | null,
      [before, after]: [string[], string[]],
      [waited, came]: [string[], string[]],
    ): (string | null)[] => {
      const pool = new WaitingPool(withMaps(agreeSeconds, ...before));
      pool.add(wishing('waited', 1, ...waited));
      pool.tick(now);
      pool.useRules(2, withMaps(agreeSeconds, ...after));
      pool.add(wishing('came', 2, ...came));
      return pool.tick(now + 1_000).proposals.map(({ map }) => map);
    };
    const added: [string[], string[]] = [
      ['dust', 'lake'],
      ['moon', 'dust', 'lake'],
    ];

    it.each([null, 60])('a ticket that waited meets newcomers (agreeSeconds: %s)', (agree) => {
      expect(mapOf(agree, added, [[], []])).toHaveLength(1);
      expect(mapOf(agree, added, [[], ['moon']])).toEqual(['moon']);
      expect(mapOf(agree, added, [['dust', 'lake'], ['dust']])).toEqual(['dust']);
      expect(['dust', 'lake']).toContain(mapOf(agree, added, [['dust', 'lake'], []])[0]);
    });

    it.each([null, 60])('wishes are compared by name, and hold (agreeSeconds: %s)', (agree) => {
      expect(mapOf(agree, added, [['dust', 'lake'], ['moon']])).toEqual([]);
      expect(mapOf(agree, added, [['dust'], ['lake', 'moon']])).toEqual([]);
      const reordered: typeof added = [
        ['dust', 'lake'],
        ['lake', 'dust'],
      ];
      expect(mapOf(agree, reordered, [['dust'], ['dust']])).toEqual(['dust']);
      expect(mapOf(agree, reordered, [['dust'], ['lake']])).toEqual([]);
    });

    it.each([null, 60])('no match is on a map that was taken away (agreeSeconds: %s)', (agree) => {
      const taken: typeof added = [['dust', 'lake'], ['lake']];
      expect(mapOf(agree, taken, [['dust'], []])).toEqual([]);
      expect(mapOf(agree, taken, [['dust', 'lake'], []])).toEqual(['lake']);
      expect(mapOf(agree, taken, [[], []])).toEqual(['lake']);
    });

    it('a ticket whose only map was taken away keeps no other from newcomers', () => {
      const pool = new WaitingPool(withMaps(null, 'dust', 'lake'));
      pool.add(wishing('dust', 1, 'dust'));
      pool.useRules(2, withMaps(null, 'lake'));
      pool.add(wishing('x', 2));
      pool.add(wishing('y', 2));
      expect(pool.tick(now + 1_000).proposals).toMatchObject([{ map: 'lake' }]);
      // Under the rules that it keeps, its map is played.
      pool.remove('x');
      pool.remove('y');
      pool.add(wishing('also', 1));
      expect(pool.tick(now + 2_000).proposals).toMatchObject([{ map: 'dust' }]);
    });

    it('first maps: tickets of before meet newcomers, but do not end their agreement', () => {
      const first: typeof added = [[], ['dust', 'lake']];
      expect(mapOf(60, first, [[], ['dust']])).toEqual(['dust']);
      const pool = new WaitingPool({ ...duel, teamSize: 2 });
      pool.useRules(2, { ...withMaps(60, 'dust', 'lake'), teamSize: 2 });
      for (const each of [wishing('a', 1), wishing('b', 1), wishing('c', 2, 'dust'), wishing('d', 2, 'lake')])
        pool.add(each);
      expect(pool.tick(now + 1_000).proposals).toEqual([]);
      expect(pool.tick(now + 61_000).proposals).toHaveLength(1);
    });
  });
});
