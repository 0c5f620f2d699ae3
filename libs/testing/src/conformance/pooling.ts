import { describe, expect } from 'vitest';
import { aTicket, testTime } from '../generators.js';
import { poolByScan } from '../ticket-invariants.js';
import { claim, type StoreTest } from './harness.js';

/** How matchers follow who waits. */
export function describePooling(given: StoreTest): void {
  describe('pool', () => {
    given(
      'numbers every change of a pool, whole tickets with it, and answers from any number on',
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

    given('says so when it was asked for what comes after a change that never was', async (store) => {
      await store.enqueue(aTicket(), testTime);
      expect(await store.poolChanges('duel', 7, 10)).toEqual({ changes: [], newest: 1, lost: true });
    });

    given(
      'lets tickets leave when they are claimed or expire, and come back when their match falls apart',
      async (store) => {
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
      },
    );

    given('is read page by page, each ticket at least once', async (store) => {
      const ids = Array.from({ length: 300 }, (_, i) => `t${i}`);
      for (const id of ids) await store.enqueue(aTicket({ ticketId: id, players: [id] }), testTime);
      expect(await poolByScan(store, 'duel')).toEqual(ids.toSorted());
      expect((await store.scanPool('squad', '0', 5)).tickets).toEqual([]);
    });
  });
}
