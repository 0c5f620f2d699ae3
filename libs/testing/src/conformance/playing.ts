import type { TicketStore } from '@muster/domain';
import { describe, expect } from 'vitest';
import { aTicket, anAssignment, testTime } from '../generators.js';
import { claim, expectNoEffect, expectStory, type StoreTest } from './harness.js';

/** The tickets of a formed match. */
export function describePlaying(given: StoreTest): void {
  describe('note', () => describeNote(given));
  describe('assign', () => describeAssign(given));
  describe('close', () => describeClose(given));
  describe('remake', () => describeRemake(given));
}

/** Two tickets that are being placed in match m1, and one that waits. */
async function aMatch(store: TicketStore): Promise<void> {
  for (const ticketId of ['t1', 't2', 't3']) await store.enqueue(aTicket({ ticketId }), testTime);
  await claim(store, 'm1', ['t1', 't2']);
  await store.confirm('m1', ['t1', 't2'], 'Found.', testTime);
}

const ids = ['t1', 't2', 't3', 't0'];

function describeNote(given: StoreTest): void {
  given('writes to the tickets that are being placed', async (store) => {
    await aMatch(store);
    await store.note('m1', ids, 'Looking for a server.', testTime + 4);
    for (const id of ['t1', 't2']) {
      expect(await store.find(id)).toMatchObject({
        state: 'placing',
        reason: 'Looking for a server.',
        at: testTime + 4,
        matchState: 'formed',
      });
      await expectStory(store, id, ['waiting', 'proposed', 'placing', 'placing']);
    }
    await expectStory(store, 't3', ['waiting']);
    expect(await store.find('t0')).toBeNull();
  });

  given('writes the same reason once', async (store) => {
    await aMatch(store);
    await store.note('m1', ['t1'], 'One.', testTime);
    await expectNoEffect(store, ids, () => store.note('m1', ['t1'], 'One.', testTime + 1));
    await store.note('m1', ['t1'], 'Two.', testTime + 2);
    expect((await store.eventsAfter('t1', 3)).map(({ reason }) => reason)).toEqual(['One.', 'Two.']);
  });

  given('has no effect before, after, or for another match', async (store) => {
    await aMatch(store);
    await claim(store, 'm2', ['t3']);
    await expectNoEffect(store, ids, () => store.note('m2', ids, 'News.', testTime));
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    await store.close('m1', ['t2'], 'abandoned', 'No result.', testTime);
    await expectNoEffect(store, ids, () => store.note('m1', ids, 'News.', testTime));
  });
}

function describeAssign(given: StoreTest): void {
  given('sets the assignment of a ticket', async (store) => {
    await aMatch(store);
    const assignment = anAssignment('m1', { host: 'game.example', port: 65_535, team: 1 });
    const ticket = await store.find('t1');
    expect(await store.assign('t1', assignment, 'Go.', testTime + 6)).toEqual({
      queue: ticket?.queue,
      enqueuedAt: ticket?.enqueuedAt,
    });
    expect(await store.find('t1')).toMatchObject({
      state: 'assigned',
      reason: 'Go.',
      matchState: 'placed',
      assignment,
      closed: false,
    });
    await expectStory(store, 't1', ['waiting', 'proposed', 'placing', 'assigned']);
    expect((await store.eventsAfter('t1', 3))[0]).toEqual({
      ticketId: 't1',
      seq: 4,
      at: testTime + 6,
      state: 'assigned',
      reason: 'Go.',
      matchId: 'm1',
      matchState: 'placed',
      assignment,
    });
    expect(await store.ticketOf('player of t1')).toBe('t1');
    await expectStory(store, 't2', ['waiting', 'proposed', 'placing']);
  });

  given('keeps the first one', async (store) => {
    await aMatch(store);
    const first = anAssignment('m1');
    await store.assign('t1', first, 'Go.', testTime);
    expect(await expectNoEffect(store, ids, () => store.assign('t1', first, 'Go.', testTime + 1))).toBeNull();
    const other = anAssignment('m1', { serverId: 's2', port: 8_888 });
    await expectNoEffect(store, ids, () => store.assign('t1', other, 'Go there.', testTime + 1));
    await store.close('m1', ['t1'], 'rated', 'Over.', testTime + 2);
    await expectNoEffect(store, ids, () => store.assign('t1', other, 'Go there.', testTime + 3));
    expect((await store.find('t1'))?.assignment).toEqual(first);
  });

  given('does not wait for a confirm that is still on its way', async (store) => {
    await store.enqueue(aTicket(), testTime);
    await claim(store, 'm1', ['t1']);
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    await expectStory(store, 't1', ['waiting', 'proposed', 'assigned']);
    await expectNoEffect(store, ['t1'], () => store.confirm('m1', ['t1'], 'Found.', testTime));
    await expectNoEffect(store, ['t1'], () => store.release('m1', ['t1'], [], 'Fell apart.', testTime));
  });

  given('has no effect on a waiting ticket, one of another match, or an unknown one', async (store) => {
    await aMatch(store);
    await expectNoEffect(store, ids, () => store.assign('t3', anAssignment('m1'), 'Go.', testTime));
    await expectNoEffect(store, ids, () => store.assign('t1', anAssignment('m2'), 'Go.', testTime));
    await expectNoEffect(store, ids, () => store.assign('t0', anAssignment('m1'), 'Go.', testTime));
    expect(await store.find('t0')).toBeNull();
  });

  given('has no effect on a released ticket', async (store) => {
    await store.enqueue(aTicket(), testTime);
    await claim(store, 'm1', ['t1']);
    await store.release('m1', ['t1'], [], 'Fell apart.', testTime);
    await expectNoEffect(store, ['t1'], () => store.assign('t1', anAssignment('m1'), 'Go.', testTime));
  });
}

function describeRemake(given: StoreTest): void {
  const words = { back: 'Called off.', ended: 'Ended.', left: 'Left.', late: 'Too late.' };

  given('returns innocent tickets with their enqueue times and ends the others', async (store) => {
    await aMatch(store);
    for (const id of ['t1', 't2']) await store.assign(id, anAssignment('m1'), 'Go.', testTime);
    await store.remake('m1', ids, ['t2'], words, testTime + 9);
    expect(await store.waiting('duel', 10)).toEqual(['t1', 't3']);
    const innocent = await store.find('t1');
    expect(innocent).toMatchObject({ state: 'waiting', reason: 'Called off.', enqueuedAt: testTime });
    for (const gone of ['matchId', 'matchState', 'assignment'] as const)
      expect(innocent?.[gone]).toBeUndefined();
    await expectStory(store, 't1', ['waiting', 'proposed', 'placing', 'assigned', 'waiting']);
    expect(await store.ticketOf('player of t1')).toBe('t1');
    expect(await store.find('t2')).toMatchObject({
      state: 'failed',
      reason: 'Ended.',
      matchState: 'abandoned',
      closed: true,
    });
    expect(await store.ticketOf('player of t2')).toBeNull();
    await expectStory(store, 't3', ['waiting']);
  });

  given('happens once, and late updates of the old match change nothing', async (store) => {
    await aMatch(store);
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    const remake = () => store.remake('m1', ids, [], words, testTime + 9);
    await remake();
    await claim(store, 'm2', ['t1', 't2']);
    for (const news of [
      remake,
      () => store.assign('t1', anAssignment('m1'), 'Go.', testTime),
      () => store.confirm('m1', ids, 'Found.', testTime),
      () => store.close('m1', ids, 'abandoned', 'Over.', testTime),
    ])
      await expectNoEffect<unknown>(store, ids, news);
    const other = anAssignment('m2', { port: 9_999 });
    await store.assign('t1', other, 'Go there.', testTime + 20);
    expect((await store.find('t1'))?.assignment).toEqual(other);
  });

  given('ends expired tickets, with that reason', async (store) => {
    await aMatch(store);
    const { expiresAt = 0 } = (await store.find('t1')) ?? {};
    await store.remake('m1', ids, ['t2'], words, expiresAt);
    expect(await store.find('t1')).toMatchObject({ state: 'failed', reason: 'Too late.', closed: true });
    expect(await store.find('t2')).toMatchObject({ state: 'failed', reason: 'Ended.' });
  });

  given('cancels tickets that left a match without a server; an assigned one fails', async (store) => {
    await aMatch(store);
    const remake = () => store.remake('m1', ids, ['t1', 't2'], words, testTime + 9, { left: ['t1', 't2'] });
    await store.assign('t2', anAssignment('m1'), 'Go.', testTime);
    await remake();
    const gone = await store.find('t1');
    expect(gone).toMatchObject({ state: 'cancelled', reason: 'Left.', closed: true });
    expect(gone?.matchId).toBeUndefined();
    expect(await store.ticketOf('player of t1')).toBeNull();
    expect(await store.find('t2')).toMatchObject({ state: 'failed', reason: 'Ended.' });
    expect(await store.cancel('t1', 'Again.', testTime + 10)).toEqual({ outcome: 'cancelled' });
    await expectNoEffect(store, ids, remake);
  });

  given(
    'returns a party without a player who is out: the next one leads it, at the old place',
    async (store) => {
      const players = ['ann', 'abe', 'eve'].map((playerId) => ({ playerId, mu: 25.1, sigma: 8.3 }));
      const party = aTicket({ ticketId: 't1', players, partyId: 'pty' });
      await store.enqueue(party, testTime);
      await store.enqueue(aTicket({ ticketId: 't2' }), testTime);
      await claim(store, 'm1', ['t1', 't2']);
      await store.confirm('m1', ['t1', 't2'], 'Found.', testTime);
      const remake = () =>
        store.remake('m1', ids, [], words, testTime + 9, { out: ['ann', 'player of t2', 'zoe'] });
      await remake();
      expect(await store.find('t1')).toMatchObject({
        ...party,
        players: players.slice(1),
        state: 'waiting',
        reason: 'Called off.',
      });
      expect(await store.tickets(['t1'])).toEqual([{ ...party, players: players.slice(1) }]);
      // Nobody of it returns.
      expect(await store.find('t2')).toMatchObject({ state: 'failed', reason: 'Ended.', closed: true });
      for (const gone of ['ann', 'player of t2']) expect(await store.ticketOf(gone)).toBeNull();
      for (const back of ['abe', 'eve']) expect(await store.ticketOf(back)).toBe('t1');
      const alone = aTicket({ ticketId: 't4', players: players.slice(0, 1) });
      expect(await store.enqueue(alone, testTime + 10)).toEqual({ outcome: 'created' });
      await expectNoEffect(store, [...ids, 't4'], remake);
      expect(await store.ticketOf('ann')).toBe('t4');
      // The new content is what the matcher reads.
      const { changes } = await store.poolChanges('duel', 0, 100);
      expect(changes.at(-2)).toEqual({ joined: { ...party, players: players.slice(1) } });
    },
  );

  given('lets tickets that return wait on, also those that would have expired', async (store) => {
    await aMatch(store);
    const { expiresAt = 0 } = (await store.find('t1')) ?? {};
    const until = expiresAt + 60_000;
    await store.remake('m1', ids, ['t2'], words, expiresAt + 1, { expiresAt: until });
    expect(await store.find('t1')).toMatchObject({
      state: 'waiting',
      enqueuedAt: testTime,
      expiresAt: until,
    });
    expect(await store.find('t2')).toMatchObject({ state: 'failed', expiresAt });
    expect(await store.expire('duel', 'Over.', until - 1, 10)).toEqual(['t3']);
    expect(await store.expire('duel', 'Over.', until, 10)).toEqual(['t1']);
  });

  given('has no effect after the match is over', async (store) => {
    await aMatch(store);
    await store.close('m1', ['t1', 't2'], 'rated', 'Over.', testTime);
    await expectNoEffect(store, ids, () => store.remake('m1', ids, [], words, testTime + 1));
  });
}

function describeClose(given: StoreTest): void {
  for (const matchState of ['rated', 'void'] as const) {
    given(
      `ends the tickets of a match that is ${matchState}, and they keep their assignment`,
      async (store) => {
        await aMatch(store);
        for (const id of ['t1', 't2']) await store.assign(id, anAssignment('m1'), 'Go.', testTime);
        await store.close('m1', ids, matchState, 'Over.', testTime + 8);
        for (const id of ['t1', 't2']) {
          expect(await store.find(id)).toMatchObject({
            state: 'assigned',
            reason: 'Over.',
            at: testTime + 8,
            matchState,
            assignment: anAssignment('m1'),
            closed: true,
          });
          await expectStory(store, id, ['waiting', 'proposed', 'placing', 'assigned', 'assigned']);
        }
        await expectStory(store, 't3', ['waiting']);
        expect(await store.find('t0')).toBeNull();
      },
    );
  }

  given('fails the tickets of a match without a result', async (store) => {
    await aMatch(store);
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    await store.close('m1', ['t1', 't2'], 'abandoned', 'The server was lost.', testTime);
    for (const id of ['t1', 't2']) {
      expect(await store.find(id)).toMatchObject({ state: 'failed', matchState: 'abandoned', closed: true });
    }
    await expectStory(store, 't1', ['waiting', 'proposed', 'placing', 'assigned', 'failed']);
    await expectStory(store, 't2', ['waiting', 'proposed', 'placing', 'failed']);
  });

  given('ends a ticket without its match, and tells that a match is void', async (store) => {
    await aMatch(store);
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime);
    await store.close('m1', ['t1'], 'placed', 'You left.', testTime, 'failed');
    await store.close('m1', ['t2'], 'void', 'An operator ended it.', testTime, 'failed');
    expect(await store.find('t1')).toMatchObject({ state: 'failed', matchState: 'placed', closed: true });
    expect(await store.find('t2')).toMatchObject({ state: 'failed', matchState: 'void', closed: true });
  });

  given('releases the players once: a repeat leaves their next tickets unchanged', async (store) => {
    await aMatch(store);
    const close = () => store.close('m1', ['t1', 't2'], 'rated', 'Over.', testTime);
    await close();
    expect(await store.ticketOf('player of t1')).toBeNull();
    const next = aTicket({ ticketId: 't4', players: ['player of t1', 'player of t2'] });
    expect(await store.enqueue(next, testTime)).toEqual({ outcome: 'created' });
    await expectNoEffect(store, [...ids, 't4'], close);
    await expectNoEffect(store, [...ids, 't4'], () =>
      store.close('m1', ['t1', 't2'], 'abandoned', 'No result.', testTime),
    );
    expect(await store.ticketOf('player of t2')).toBe('t4');
  });

  given('may come before an assign, which then has no effect', async (store) => {
    await aMatch(store);
    await store.close('m1', ['t1'], 'rated', 'Over.', testTime);
    await store.close('m1', ['t2'], 'abandoned', 'No result.', testTime);
    for (const id of ['t1', 't2']) {
      await expectNoEffect(store, ids, () => store.assign(id, anAssignment('m1'), 'Go.', testTime));
      const record = await store.find(id);
      expect(record?.closed).toBe(true);
      expect(record?.assignment).toBeUndefined();
    }
  });

  given('may come before a confirm, which then has no effect', async (store) => {
    await store.enqueue(aTicket(), testTime);
    await claim(store, 'm1', ['t1']);
    await store.close('m1', ['t1'], 'abandoned', 'No result.', testTime);
    await expectStory(store, 't1', ['waiting', 'proposed', 'failed']);
    await expectNoEffect(store, ['t1'], () => store.confirm('m1', ['t1'], 'Found.', testTime));
    await expectNoEffect(store, ['t1'], () => store.release('m1', ['t1'], [], 'Fell apart.', testTime));
    expect(await store.waiting('duel', 10)).toEqual([]);
  });

  given('has no effect on tickets of another match', async (store) => {
    await aMatch(store);
    await expectNoEffect(store, ids, () => store.close('m2', ids, 'rated', 'Over.', testTime));
  });
}
