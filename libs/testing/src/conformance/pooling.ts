import { describe, expect } from 'vitest';
import { aTicket, testTime } from '../generators.js';
import { poolByScan, recordByScan } from '../ticket-invariants.js';
import { claim, type StoreTest } from './harness.js';

/** How matchers follow the waiting pool. */
export function describePooling(given: StoreTest): void {
  describe('pool', () => {
    given(
      'numbers every change of a pool, with whole tickets, and answers from any number on',
      async (store) => {
        const [first, second] = [aTicket(), aTicket({ ticketId: 't2', players: ['bob'] })];
        await store.enqueue(first, testTime);
        await store.enqueue(second, testTime);
        await store.cancel('t1', 'Enough.', testTime);
        await store.cancel('t1', 'Enough.', testTime);
        expect(await store.poolChanges('duel', 0, 10)).toEqual({
          changes: [{ joined: first }, { joined: second }, { left: 't1', claimed: false }],
          newest: 3,
          lost: false,
        });
        expect(await store.poolChanges('duel', 1, 1)).toEqual({
          changes: [{ joined: second }],
          newest: 3,
          lost: false,
        });
        expect(await store.poolChanges('duel', 3, 10)).toEqual({ changes: [], newest: 3, lost: false });
        expect(await store.poolChanges('squad', 0, 10)).toEqual({ changes: [], newest: 0, lost: false });
      },
    );

    given('reports a request after an unknown change', async (store) => {
      await store.enqueue(aTicket(), testTime);
      expect(await store.poolChanges('duel', 7, 10)).toEqual({ changes: [], newest: 1, lost: true });
    });

    given('removes claimed and expired tickets, and adds those whose match is refused', async (store) => {
      const ticket = aTicket();
      await store.enqueue(ticket, testTime);
      await claim(store, 'm1', ['t1']);
      await store.release('m1', ['t1'], [], 'It fell apart.', testTime);
      await store.expire('duel', 'Too long.', ticket.expiresAt, 10);
      expect((await store.poolChanges('duel', 0, 10)).changes).toEqual([
        { joined: ticket },
        { left: 't1', claimed: true },
        { joined: ticket },
        { left: 't1', claimed: false },
      ]);
    });

    given('matches a ticket by new levels once they are set, at its old place', async (store) => {
      const ticket = aTicket();
      await store.enqueue(ticket, testTime);
      const players = ticket.players.map((player, i) => ({ ...player, mu: 40 + i, sigma: 0.1234 }));
      expect(await store.relevel(ticket, players)).toBe('relevelled');
      expect(await store.relevel(ticket, players)).toBe('relevelled');
      const relevelled = { ...ticket, players };
      expect(await store.tickets(['t1'])).toEqual([relevelled]);
      expect(await store.poolChanges('duel', 0, 10)).toEqual({
        changes: [{ joined: ticket }, { joined: relevelled }],
        newest: 2,
        lost: false,
      });
      expect(await store.find('t1')).toMatchObject({
        state: 'waiting',
        seq: 1,
        enqueuedAt: ticket.enqueuedAt,
      });
      // Its content differs from the one that was read.
      expect(await store.relevel(ticket, [])).toBe('changed');
    });

    given(
      'gives a ticket of a match its new levels when it is back, and none that has ended',
      async (store) => {
        const long = 'a name that takes more than one piece of a ticket, and is gone from it afterwards';
        const ticket = aTicket({ players: ['ann'] });
        const named = {
          ...ticket,
          players: ticket.players.map((player) => ({ ...player, canPlay: [long, long] })),
        };
        await store.enqueue(named, testTime);
        await claim(store, 'm1', ['t1']);
        expect(await store.relevel(named, ticket.players)).toBe('relevelled');
        expect((await store.poolChanges('duel', 0, 10)).newest).toBe(2);
        await store.release('m1', ['t1'], [], 'It fell apart.', testTime);
        expect((await store.poolChanges('duel', 2, 10)).changes).toEqual([{ joined: ticket }]);
        await store.cancel('t1', 'Enough.', testTime);
        expect(await store.relevel(ticket, named.players)).toBe('closed');
        expect(await store.relevel({ ...ticket, ticketId: 'none' }, named.players)).toBe('closed');
      },
    );

    given('is read page by page, each ticket at least once', async (store) => {
      const ids = Array.from({ length: 300 }, (_, i) => `t${i}`);
      for (const id of ids) await store.enqueue(aTicket({ ticketId: id, players: [id] }), testTime);
      expect(await poolByScan(store, 'duel')).toEqual(ids.toSorted());
      expect((await store.scanPool('squad', '0', 5)).tickets).toEqual([]);
    });
  });
  describe('record', () => describeRecord(given));
}

/** The recorded waits of tickets. */
function describeRecord(given: StoreTest): void {
  given('returns how each ticket of a queue waited, and when it ended', async (store) => {
    const ticketOf = (ticketId: string) => aTicket({ ticketId, players: [ticketId], maps: ['castle'] });
    const [waits, cancelled, matched, back] = [
      ticketOf('t1'),
      ticketOf('t2'),
      ticketOf('t3'),
      ticketOf('t4'),
    ];
    for (const ticket of [waits, cancelled, matched, back]) await store.enqueue(ticket, testTime);
    await store.enqueue(aTicket({ ticketId: 's1', players: ['sue'], queue: 'squad' }), testTime);
    await store.cancel('t2', 'Enough.', testTime + 10);
    await claim(store, 'm1', ['t3', 't4'], testTime + 20);
    await store.release('m1', ['t4'], [], 'It fell apart.', testTime + 30);
    await claim(store, 'm2', ['t4'], testTime + 40);
    await store.confirm('m2', ['t4'], 'You are in a match.', testTime + 50);
    expect(await recordByScan(store, 'duel', testTime)).toEqual([
      { ticket: waits, outcome: 'waiting', leftAt: null },
      { ticket: cancelled, outcome: 'cancelled', leftAt: testTime + 10 },
      { ticket: matched, outcome: 'matched', leftAt: testTime + 20, matchId: 'm1' },
      { ticket: back, outcome: 'matched', leftAt: testTime + 40, matchId: 'm2' },
    ]);

    await store.expire('duel', 'Too long.', waits.expiresAt, 10);
    expect(await recordByScan(store, 'duel', testTime + 41)).toEqual([
      { ticket: waits, outcome: 'expired', leftAt: waits.expiresAt },
    ]);
    expect(await recordByScan(store, 'duel', waits.expiresAt + 1)).toEqual([]);
    expect(await recordByScan(store, 'due', testTime)).toEqual([]);
  });

  given('is read page by page, each ticket at least once', async (store) => {
    const ids = Array.from({ length: 300 }, (_, i) => `t${i}`);
    for (const id of ids) await store.enqueue(aTicket({ ticketId: id, players: [id] }), testTime);
    const read = await recordByScan(store, 'duel', testTime);
    expect(read.map(({ ticket }) => ticket.ticketId)).toEqual(ids.toSorted());
  });
}
