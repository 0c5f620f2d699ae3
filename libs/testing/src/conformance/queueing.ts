import { inTheQueue, message, type TicketStore } from '@muster/domain';
import { describe, expect } from 'vitest';
import { aTicket, anAssignment, testTime } from '../generators.js';
import { claim, expectNoEffect, expectStory, type StoreTest } from './harness.js';

/** Enqueue, cancel, expire and the reads. */
export function describeQueueing(given: StoreTest): void {
  describe('enqueue', () => describeEnqueue(given));
  describe('reading', () => describeReading(given));
  describe('cancel', () => describeCancel(given));
  describe('expire', () => describeExpire(given));
}

function describeEnqueue(given: StoreTest): void {
  given('creates a waiting ticket with all its fields', async (store) => {
    const ticket = aTicket({
      players: [
        { playerId: 'ann', mu: 31.25, sigma: 1 / 3 },
        { playerId: 'bob', mu: -0.1, sigma: 8, calibration: { match: 3, of: 10 } },
      ],
      latencyMs: { eu: 20, 'us-east': 110.5 },
      enqueuedAt: testTime - 7,
    });
    expect(await store.enqueue(ticket, testTime)).toEqual({ outcome: 'created' });
    expect(await store.find('t1')).toEqual({
      ...ticket,
      state: 'waiting',
      seq: 1,
      reason: 'You are in the queue.',
      messages: inTheQueue,
      at: testTime,
      closed: false,
    });
    expect(await store.tickets(['t1'])).toEqual([ticket]);
    expect(await store.waiting('duel', 10)).toEqual(['t1']);
    expect(await store.eventsAfter('t1', 0)).toEqual([
      {
        ticketId: 't1',
        seq: 1,
        at: testTime,
        state: 'waiting',
        reason: 'You are in the queue.',
        messages: inTheQueue,
      },
    ]);
  });

  given('stores the messages of each event with its text, short and long ones', async (store) => {
    const match = message('calibration.match', { match: 3, of: 10, party: true, playerId: 'änn "the 1st"' });
    const first = [message('ticket.queued-calibrating', { matches: [match, match] })];
    const second = [message('match.found'), message('match.newcomers', { newcomers: 2 })];
    await store.enqueue(aTicket(), testTime, first);
    const words =
      'You are in the queue; this is calibration match 3 of 10 for änn "the 1st", 3 of 10 for änn "the 1st".';
    expect(await store.find('t1')).toMatchObject({ reason: words, messages: first });
    expect(await store.eventsAfter('t1', 0)).toMatchObject([{ reason: words, messages: first }]);
    await claim(store, 'm1', ['t1'], testTime, second);
    expect(await store.find('t1')).toMatchObject({ state: 'proposed', messages: second });
    await store.release('m1', ['t1'], [], 'It fell apart.', testTime);
    expect(await store.find('t1')).toMatchObject({ state: 'waiting', reason: 'It fell apart.' });
    expect((await store.find('t1'))?.messages).toBeUndefined();
    const events = await store.eventsAfter('t1', 0);
    expect(events.map(({ messages }) => messages)).toEqual([first, second, undefined]);
  });

  given("starts with the caller's reason", async (store) => {
    await store.enqueue(aTicket(), testTime, 'You are in; "the first" of 10.');
    expect(await store.find('t1')).toMatchObject({
      state: 'waiting',
      reason: 'You are in; "the first" of 10.',
    });
    expect(await store.eventsAfter('t1', 0)).toMatchObject([
      { seq: 1, state: 'waiting', reason: 'You are in; "the first" of 10.' },
    ]);
  });

  given('holds every player of a party, and releases all of them', async (store) => {
    await store.enqueue(aTicket({ players: ['ann', 'bob', 'cid'] }), testTime);
    for (const player of ['ann', 'bob', 'cid']) expect(await store.ticketOf(player)).toBe('t1');
    await store.cancel('t1', 'Enough.', testTime);
    for (const player of ['ann', 'bob', 'cid']) expect(await store.ticketOf(player)).toBeNull();
  });

  given(
    'answers a repeat with "existing" and has no effect, as long as the ticket is stored',
    async (store) => {
      const ticket = aTicket();
      await store.enqueue(ticket, testTime);
      const repeat = () => store.enqueue(ticket, testTime + 5);
      expect(await expectNoEffect(store, ['t1'], repeat)).toEqual({ outcome: 'existing' });
      await store.cancel('t1', 'Enough.', testTime);
      expect(await expectNoEffect(store, ['t1'], repeat)).toEqual({ outcome: 'existing' });
    },
  );

  given('refuses a ticket id of another request', async (store) => {
    await store.enqueue(aTicket({ fingerprint: 'one' }), testTime);
    const other = aTicket({ fingerprint: 'two', players: ['zoe'] });
    const answer = await expectNoEffect(store, ['t1'], () => store.enqueue(other, testTime));
    expect(answer).toEqual({ outcome: 'reused' });
    expect(await store.ticketOf('zoe')).toBeNull();
  });

  given('names the busy player and its ticket, and holds none of the others', async (store) => {
    await store.enqueue(aTicket({ players: ['bob'] }), testTime);
    const party = aTicket({ ticketId: 't2', players: ['ann', 'bob', 'cid'] });
    const answer = await expectNoEffect(store, ['t1', 't2'], () => store.enqueue(party, testTime));
    expect(answer).toEqual({ outcome: 'busy', playerId: 'bob', ticketId: 't1' });
    expect(await store.find('t2')).toBeNull();
    for (const player of ['ann', 'cid']) expect(await store.ticketOf(player)).toBeNull();
  });

  given('holds a player through every state until the ticket ends', async (store) => {
    await store.enqueue(aTicket({ players: ['ann'] }), testTime);
    const again = aTicket({ ticketId: 't2', players: ['ann'] });
    const busy = { outcome: 'busy', playerId: 'ann', ticketId: 't1' };
    await claim(store, 'm1', ['t1']);
    expect(await store.enqueue(again, testTime)).toEqual(busy);
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    expect(await store.enqueue(again, testTime)).toEqual(busy);
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    expect(await store.enqueue(again, testTime)).toEqual(busy);
    await store.close('m1', ['t1'], 'rated', 'Over.', testTime);
    expect(await store.enqueue(again, testTime)).toEqual({ outcome: 'created' });
  });

  given('accepts any text as an id', async (store) => {
    const ids = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'a:b:{c}', '1', 'ü "q" \\ \n 🎮'];
    for (const id of ids) {
      expect(await store.find(id)).toBeNull();
      expect(await store.ticketOf(id)).toBeNull();
    }
    for (const id of ids) {
      const ticket = aTicket({ ticketId: id, queue: id, players: [id] });
      expect(await store.enqueue(ticket, testTime)).toEqual({ outcome: 'created' });
    }
    for (const id of ids) {
      expect(await store.ticketOf(id)).toBe(id);
      expect(await store.waiting(id, 10)).toEqual([id]);
      expect(await store.cancel(id, id, testTime)).toEqual({ outcome: 'cancelled' });
      expect(await store.find(id)).toMatchObject({ ticketId: id, state: 'cancelled', reason: id });
      await expectStory(store, id, ['waiting', 'cancelled']);
    }
  });
}

function describeReading(given: StoreTest): void {
  given('finds nothing for an unknown ticket', async (store) => {
    await store.enqueue(aTicket(), testTime);
    expect(await store.find('t0')).toBeNull();
    expect(await store.ticketOf('nobody')).toBeNull();
    expect(await store.eventsAfter('t0', 0)).toEqual([]);
    expect(await store.waiting('squad', 10)).toEqual([]);
    expect(await store.tickets(['t0'])).toEqual([]);
    expect(await store.tickets([])).toEqual([]);
    expect((await store.tickets(['t0', 't1', 't9'])).map(({ ticketId }) => ticketId)).toEqual(['t1']);
  });

  given('lists a queue by expiry, for any order of arrival', async (store) => {
    const times = { t1: 30, t2: 10, t3: 20, t4: 10 };
    for (const [ticketId, offset] of Object.entries(times)) {
      await store.enqueue(aTicket({ ticketId, expiresAt: testTime + offset }), testTime);
    }
    await store.enqueue(aTicket({ ticketId: 't5', queue: 'squad' }), testTime);
    const order = await store.waiting('duel', 10);
    expect(order.slice(2)).toEqual(['t3', 't1']);
    expect(new Set(order.slice(0, 2))).toEqual(new Set(['t2', 't4']));
    expect(await store.waiting('duel', 3)).toEqual(order.slice(0, 3));
    expect(await store.waiting('duel', 0)).toEqual([]);
    expect(await store.waiting('squad', 10)).toEqual(['t5']);
  });

  given('resumes after any event, with none missing', async (store) => {
    await aWholeStory(store);
    const all = await store.eventsAfter('t1', 0);
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (let seq = 0; seq <= 7; seq++) expect(await store.eventsAfter('t1', seq)).toEqual(all.slice(seq));
    expect(await store.eventsAfter('t1', 99)).toEqual([]);
    expect(await store.eventsAfter('t1', -1)).toEqual(all);
  });
}

/** waiting → proposed → waiting → proposed → placing → assigned → closed. */
async function aWholeStory(store: TicketStore): Promise<void> {
  await store.enqueue(aTicket(), testTime);
  await claim(store, 'm1', ['t1']);
  await store.release('m1', ['t1'], [], 'Fell apart.', testTime + 1);
  await claim(store, 'm2', ['t1']);
  await store.confirm('m2', ['t1'], 'Found.', testTime + 2);
  await store.assign('t1', anAssignment('m2'), 'Go.', testTime + 3);
  await store.close('m2', ['t1'], 'rated', 'Over.', testTime + 4);
}

function describeCancel(given: StoreTest): void {
  given('ends a waiting ticket', async (store) => {
    await store.enqueue(aTicket(), testTime);
    expect(await store.cancel('t1', 'Enough.', testTime + 9)).toEqual({ outcome: 'cancelled' });
    expect(await store.find('t1')).toMatchObject({
      state: 'cancelled',
      reason: 'Enough.',
      at: testTime + 9,
      closed: true,
    });
    expect(await store.waiting('duel', 10)).toEqual([]);
    await expectStory(store, 't1', ['waiting', 'cancelled']);
  });

  given('answers a repeat the same way, and the ticket is final', async (store) => {
    await store.enqueue(aTicket(), testTime);
    await store.cancel('t1', 'Enough.', testTime);
    const repeat = () => store.cancel('t1', 'Once more.', testTime);
    expect(await expectNoEffect(store, ['t1'], repeat)).toEqual({ outcome: 'cancelled' });
    await expectNoEffect(store, ['t1'], () => store.expire('duel', 'Late.', testTime + 1e9, 10));
    await expectNoEffect(store, ['t1'], () => store.confirm('m1', ['t1'], 'Found.', testTime));
    await expectNoEffect(store, ['t1'], () => store.assign('t1', anAssignment('m1'), 'Go.', testTime));
  });

  given('reports an unknown ticket', async (store) => {
    expect(await store.cancel('t0', 'Enough.', testTime)).toEqual({ outcome: 'unknown' });
  });

  given('is too late once the ticket is proposed, and afterwards', async (store) => {
    await store.enqueue(aTicket(), testTime);
    const tooLate = async (state: string): Promise<void> => {
      const answer = await expectNoEffect(store, ['t1'], () => store.cancel('t1', 'Enough.', testTime));
      expect(answer).toEqual({ outcome: 'too-late', state });
    };
    await claim(store, 'm1', ['t1']);
    await tooLate('proposed');
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    await tooLate('placing');
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    await tooLate('assigned');
    await store.close('m1', ['t1'], 'abandoned', 'No result.', testTime);
    await tooLate('failed');
  });

  given('is possible again after a release', async (store) => {
    await store.enqueue(aTicket(), testTime);
    await claim(store, 'm1', ['t1']);
    await store.release('m1', ['t1'], [], 'Fell apart.', testTime);
    expect(await store.cancel('t1', 'Enough.', testTime)).toEqual({ outcome: 'cancelled' });
    expect(await store.waiting('duel', 10)).toEqual([]);
  });
}

function describeExpire(given: StoreTest): void {
  const due = testTime + 100;
  const late = (ticketId: string, more = {}) => aTicket({ ticketId, expiresAt: due, ...more });

  given('ends expired tickets, and no others', async (store) => {
    await store.enqueue(late('t1'), testTime);
    await store.enqueue(aTicket({ ticketId: 't2', expiresAt: due + 1 }), testTime);
    await store.enqueue(late('t3', { queue: 'squad' }), testTime);
    expect(await store.expire('duel', 'Too long.', due - 1, 10)).toEqual([]);
    expect(await store.expire('duel', 'Too long.', due, 10)).toEqual(['t1']);
    expect(await store.find('t1')).toMatchObject({
      state: 'expired',
      reason: 'Too long.',
      at: due,
      closed: true,
    });
    expect(await store.ticketOf('player of t1')).toBeNull();
    expect(await store.waiting('duel', 10)).toEqual(['t2']);
    expect(await store.waiting('squad', 10)).toEqual(['t3']);
    await expectStory(store, 't1', ['waiting', 'expired']);
    expect(await store.cancel('t1', 'Enough.', due)).toEqual({ outcome: 'too-late', state: 'expired' });
  });

  given('ends each ticket once', async (store) => {
    await store.enqueue(late('t1'), testTime);
    expect(await store.expire('duel', 'Too long.', due, 10)).toEqual(['t1']);
    const repeat = () => store.expire('duel', 'Too long.', due + 1, 10);
    expect(await expectNoEffect(store, ['t1'], repeat)).toEqual([]);
  });

  given('respects the limit, the most overdue first', async (store) => {
    await store.enqueue(late('t1', { expiresAt: due - 1 }), testTime);
    await store.enqueue(late('t2', { expiresAt: due - 3 }), testTime);
    await store.enqueue(late('t3', { expiresAt: due - 2 }), testTime);
    expect(await store.expire('duel', 'Too long.', due, 2)).toEqual(['t2', 't3']);
    expect(await store.expire('duel', 'Too long.', due, 2)).toEqual(['t1']);
  });

  given('leaves tickets unchanged that no longer wait', async (store) => {
    for (const id of ['t1', 't2', 't3']) await store.enqueue(late(id), testTime);
    await claim(store, 'm1', ['t1']);
    await claim(store, 'm2', ['t2']);
    await store.confirm('m2', ['t2'], 'Found.', testTime);
    await claim(store, 'm3', ['t3']);
    await store.assign('t3', anAssignment('m3'), 'Go.', testTime);
    const expire = () => store.expire('duel', 'Too long.', due, 10);
    expect(await expectNoEffect(store, ['t1', 't2', 't3'], expire)).toEqual([]);
  });

  given('ends a released ticket, whose lifetime continued', async (store) => {
    await store.enqueue(late('t1'), testTime);
    await claim(store, 'm1', ['t1']);
    expect(await store.expire('duel', 'Too long.', due, 10)).toEqual([]);
    await store.release('m1', ['t1'], [], 'Fell apart.', due + 1);
    expect(await store.expire('duel', 'Too long.', due + 1, 10)).toEqual(['t1']);
    await expectStory(store, 't1', ['waiting', 'proposed', 'waiting', 'expired']);
  });
}
