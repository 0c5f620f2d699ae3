import type { TicketStore } from '@muster/domain';
import { describe, expect } from 'vitest';
import { aTicket, anAssignment, testTime } from '../generators.js';
import { expectNoEffect, expectStory, leaseMs, type StoreTest } from './harness.js';

const acceptBy = testTime + 20_000;
const ids = ['t1', 't2', 't3'];

/** C9: players accept their match first. */
export function describeReadyCheck(given: StoreTest): void {
  describe('the ready check', () => {
    describeAccepting(given);
    describeDeclining(given);
    describeSilence(given);
    describeDeafness(given);
    describeBlame(given);
  });
}

/** Ann and Bob in t1, Cid in t2, and Dan in t3: all have to accept match m1. */
async function aReadyCheck(store: TicketStore): Promise<void> {
  const players = [['ann', 'bob'], ['cid'], ['dan']];
  for (const [i, ticketId] of ids.entries()) {
    const ticket = aTicket({ ticketId, players: players[i] ?? [], expiresAt: testTime + 600_000 + i });
    await store.enqueue(ticket, testTime);
  }
  await claimAsking(store, 'm1', ids);
}

async function claimAsking(
  store: TicketStore,
  matchId: string,
  ticketIds: readonly string[],
  by = acceptBy,
): Promise<void> {
  const lease = await store.acquireLease('duel', 'matcher', 60_000, testTime);
  const readyCheck = { acceptBy: by, reason: 'Accept?' };
  const proposal = {
    matchId,
    queue: 'duel',
    ticketIds,
    job: `job of ${matchId}`,
    reason: 'A match.',
    readyCheck,
  };
  const answer = await store.propose(proposal, lease?.epoch ?? 0, leaseMs, testTime);
  expect(answer).toEqual({ outcome: 'claimed' });
}

const accept = (store: TicketStore, ticketId: string, playerId: string, now = testTime + 1) =>
  store.accept(ticketId, playerId, 'All are in.', leaseMs, now);
const decline = (store: TicketStore, ticketId: string, playerId: string, now = testTime + 2) =>
  store.decline(ticketId, playerId, `${playerId} declined.`, 'Fell apart.', now);

async function acceptAll(store: TicketStore): Promise<void> {
  for (const player of ['ann', 'bob']) await accept(store, 't1', player);
  await accept(store, 't2', 'cid');
  const last = await accept(store, 't3', 'dan');
  expect(last).toEqual({ outcome: 'complete', matchId: 'm1', job: 'job of m1' });
}

function describeAccepting(given: StoreTest): void {
  given('asks every player, with a deadline', async (store) => {
    await aReadyCheck(store);
    for (const id of ids) {
      await expectStory(store, id, ['waiting', 'proposed', 'accepting']);
      expect(await store.find(id)).toMatchObject({
        state: 'accepting',
        reason: 'Accept?',
        matchId: 'm1',
        acceptBy,
      });
    }
    expect(await store.waiting('duel', 10)).toEqual([]);
    expect(await store.cancel('t2', 'Enough.', testTime)).toEqual({
      outcome: 'too-late',
      state: 'accepting',
    });
  });

  given('counts each player once, and returns the job when all have accepted', async (store) => {
    await aReadyCheck(store);
    expect(await accept(store, 't1', 'bob')).toEqual({ outcome: 'accepted' });
    const again = () => accept(store, 't1', 'bob', acceptBy + 99);
    expect(await expectNoEffect(store, ids, again)).toEqual({ outcome: 'accepted' });
    expect((await store.find('t1'))?.accepted).toEqual(['bob']);
    expect((await store.find('t2'))?.accepted).toBeUndefined();
    await acceptAll(store);
    for (const id of ids) {
      await expectStory(store, id, ['waiting', 'proposed', 'accepting', 'accepting']);
      const record = await store.find(id);
      expect(record).toMatchObject({ state: 'accepting', reason: 'All are in.' });
      expect(record?.acceptBy).toBeUndefined();
    }
    // The process that was to send the job may have died.
    const repeat = () => accept(store, 't2', 'cid');
    expect(await expectNoEffect(store, ids, repeat)).toMatchObject({ outcome: 'complete', job: 'job of m1' });
  });

  given('leaves the match to assignment from then on, within its lease', async (store) => {
    await aReadyCheck(store);
    expect(await store.overdueProposals(testTime + 1e6, leaseMs, 10)).toEqual([]);
    await acceptAll(store);
    expect(await store.overdueProposals(testTime + leaseMs, leaseMs, 10)).toEqual([]);
    const overdue = await store.overdueProposals(testTime + 1 + leaseMs, leaseMs, 10);
    expect(overdue).toEqual([{ matchId: 'm1', job: 'job of m1' }]);
    expect(await store.overdueReadyChecks(testTime + 1e6, 10)).toEqual([]);
    await store.confirm('m1', ids, 'Found.', testTime + 5);
    await expectStory(store, 't1', ['waiting', 'proposed', 'accepting', 'accepting', 'placing']);
    expect(await accept(store, 't1', 'ann', acceptBy + 5)).toEqual({ outcome: 'accepted' });
  });

  given('starts again with the next match, when assignment refuses this one', async (store) => {
    await aReadyCheck(store);
    await acceptAll(store);
    await store.release('m1', ids, [], 'Fell apart.', testTime + 5);
    expect(await store.waiting('duel', 10)).toEqual(ids);
    const record = await store.find('t1');
    expect(record?.matchId).toBeUndefined();
    expect(record?.accepted).toBeUndefined();
    await claimAsking(store, 'm2', ids);
    expect(await accept(store, 't1', 'ann')).toEqual({ outcome: 'accepted' });
    expect((await store.find('t1'))?.accepted).toEqual(['ann']);
  });

  given('may be overtaken by an assignment that comes first', async (store) => {
    await aReadyCheck(store);
    await acceptAll(store);
    await store.assign('t1', anAssignment('m1'), 'Go.', testTime + 5);
    expect(await store.find('t1')).toMatchObject({ state: 'assigned' });
  });

  given('decides alone while it is open', async (store) => {
    await aReadyCheck(store);
    for (const early of [
      () => store.confirm('m1', ids, 'Found.', testTime),
      () => store.release('m1', ids, ['t1'], 'Refused.', testTime),
      () => store.assign('t1', anAssignment('m1'), 'Go.', testTime),
      () => store.close('m1', ids, 'abandoned', 'Over.', testTime),
    ])
      await expectNoEffect<unknown>(store, ids, early);
    expect(await store.overdueReadyChecks(acceptBy, 10)).toHaveLength(1);
  });

  given('is closed to other players, and to those who need not accept', async (store) => {
    await aReadyCheck(store);
    await store.enqueue(aTicket({ ticketId: 't4', players: ['eve'] }), testTime);
    const answers = async (ticketId: string, player: string, now = testTime) => [
      await expectNoEffect(store, [...ids, 't4'], () => accept(store, ticketId, player, now)),
      await expectNoEffect(store, [...ids, 't4'], () => decline(store, ticketId, player, now)),
    ];
    expect(await answers('t0', 'ann')).toEqual([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
    expect(await answers('t1', 'cid')).toEqual([{ outcome: 'not-yours' }, { outcome: 'not-yours' }]);
    const waits = { outcome: 'too-late', state: 'waiting' };
    expect(await answers('t4', 'eve')).toEqual([waits, waits]);
    await acceptAll(store);
    expect(await expectNoEffect(store, ids, () => decline(store, 't1', 'ann'))).toEqual({
      outcome: 'too-late',
      state: 'accepting',
    });
  });
}

function describeDeclining(given: StoreTest): void {
  given('ends the ticket of a player who declines; the others keep their enqueue times', async (store) => {
    await aReadyCheck(store);
    await store.enqueue(aTicket({ ticketId: 't4', expiresAt: testTime + 700_000 }), testTime);
    await accept(store, 't2', 'cid');
    expect(await decline(store, 't1', 'bob')).toEqual({ outcome: 'declined' });
    expect(await store.find('t1')).toMatchObject({
      state: 'cancelled',
      reason: 'bob declined.',
      closed: true,
    });
    await expectStory(store, 't1', ['waiting', 'proposed', 'accepting', 'cancelled']);
    for (const player of ['ann', 'bob']) expect(await store.ticketOf(player)).toBeNull();
    expect(await store.waiting('duel', 10)).toEqual(['t2', 't3', 't4']);
    for (const id of ['t2', 't3']) {
      const record = await store.find(id);
      expect(record).toMatchObject({ state: 'waiting', reason: 'Fell apart.', enqueuedAt: testTime });
      for (const gone of ['matchId', 'acceptBy', 'accepted'] as const) expect(record?.[gone]).toBeUndefined();
    }
    expect((await store.poolChanges('duel', 0, 50)).changes.filter((change) => change.joined)).toHaveLength(
      6,
    );
  });

  given('withdraws a ticket for nobody’s fault: the others keep their enqueue times', async (store) => {
    await aReadyCheck(store);
    const withdraw = () => store.withdraw('t1', 'An operator did it.', 'Fell apart.', testTime + 2);
    expect(await withdraw()).toEqual({ outcome: 'cancelled' });
    expect(await store.find('t1')).toMatchObject({ state: 'cancelled', reason: 'An operator did it.' });
    expect(await store.waiting('duel', 10)).toEqual(['t2', 't3']);
    expect(await store.blamed(10)).toEqual([]);
    expect(await expectNoEffect(store, ids, withdraw)).toEqual({ outcome: 'cancelled' });
    expect(await store.withdraw('t2', 'Out.', 'Fell apart.', testTime + 3)).toEqual({ outcome: 'cancelled' });
    expect(await store.withdraw('none', 'Out.', 'Fell apart.', testTime + 3)).toEqual({ outcome: 'unknown' });
  });

  given('happens once, also when the others are in another ready check by then', async (store) => {
    await aReadyCheck(store);
    await decline(store, 't1', 'bob');
    await claimAsking(store, 'm2', ['t2', 't3']);
    expect(await expectNoEffect(store, ids, () => decline(store, 't1', 'bob'))).toEqual({
      outcome: 'declined',
    });
    expect(await accept(store, 't2', 'cid')).toEqual({ outcome: 'accepted' });
    await expectNoEffect(store, ids, () => store.endReadyCheck('m1', new Map(), 'Over.', acceptBy + 1));
    await expectNoEffect(store, ids, () => store.release('m1', ids, ids, 'Refused.', testTime));
  });
}

function describeSilence(given: StoreTest): void {
  const unanswered = [
    { ticketId: 't1', queue: 'duel', playerIds: ['bob'] },
    { ticketId: 't3', queue: 'duel', playerIds: ['dan'] },
  ];

  given('names players who did not answer in time, and ends their tickets', async (store) => {
    await aReadyCheck(store);
    await accept(store, 't1', 'ann');
    await accept(store, 't2', 'cid');
    expect(await store.overdueReadyChecks(acceptBy - 1, 10)).toEqual([]);
    expect(await store.overdueReadyChecks(acceptBy, 10)).toEqual([{ matchId: 'm1', asked: 4, unanswered }]);
    const words = new Map([['t1', 'bob slept.']]);
    const end = (now: number) => store.endReadyCheck('m1', words, 'Fell apart.', now);
    await expectNoEffect(store, ids, () => end(acceptBy - 1));
    await end(acceptBy);
    await expectNoEffect(store, ids, () => end(acceptBy));
    expect(await store.find('t1')).toMatchObject({ state: 'cancelled', reason: 'bob slept.' });
    expect(await store.find('t3')).toMatchObject({ state: 'cancelled', reason: 'Fell apart.' });
    expect(await store.find('t2')).toMatchObject({ state: 'waiting', reason: 'Fell apart.' });
    expect(await store.overdueReadyChecks(acceptBy, 10)).toEqual([]);
  });

  given('lists overdue ones in order, up to the limit', async (store) => {
    for (const [i, ticketId] of ids.entries()) {
      await store.enqueue(aTicket({ ticketId }), testTime);
      await claimAsking(store, `m${ticketId}`, [ticketId], acceptBy - i);
    }
    const overdue = await store.overdueReadyChecks(acceptBy, 2);
    expect(overdue.map(({ matchId }) => matchId)).toEqual(['mt3', 'mt2']);
    expect(await store.overdueReadyChecks(acceptBy - 2, 10)).toHaveLength(1);
  });
}

function describeDeafness(given: StoreTest): void {
  const end = (store: TicketStore, now: number) => store.endReadyCheck('m1', new Map(), 'Over.', now);

  given('is not ended for a while, once a replica reports an outage', async (store) => {
    await aReadyCheck(store);
    // Found by one replica before another reported its outage.
    expect(await store.overdueReadyChecks(acceptBy, 10)).toHaveLength(1);
    expect(await store.overdueReadyChecks(acceptBy, 10, 5_000)).toEqual([]);
    await expectNoEffect(store, ids, () => end(store, acceptBy));
    expect(await store.overdueReadyChecks(acceptBy + 4_999, 10)).toEqual([]);
    await expectNoEffect(store, ids, () => end(store, acceptBy + 4_999));
    expect(await store.blamed(10)).toEqual([]);
    expect(await store.overdueReadyChecks(acceptBy + 5_000, 10)).toHaveLength(1);
    await end(store, acceptBy + 5_000);
    expect(await store.find('t2')).toMatchObject({ state: 'cancelled', reason: 'Over.' });
  });

  given('is kept open for longer, after another outage of a replica', async (store) => {
    await aReadyCheck(store);
    await store.overdueReadyChecks(acceptBy, 10, 5_000);
    await store.overdueReadyChecks(acceptBy + 4_000, 10, 5_000);
    expect(await store.overdueReadyChecks(acceptBy + 8_999, 10)).toEqual([]);
    expect(await store.overdueReadyChecks(acceptBy + 9_000, 10)).toHaveLength(1);
  });

  given('can be accepted until it is ended, also after its deadline', async (store) => {
    await aReadyCheck(store);
    await store.overdueReadyChecks(acceptBy, 10, 5_000);
    const late = acceptBy + 4_000;
    for (const player of ['ann', 'bob']) await accept(store, 't1', player, late);
    expect(await accept(store, 't2', 'cid', late)).toEqual({ outcome: 'accepted' });
    expect(await accept(store, 't3', 'dan', late)).toMatchObject({ outcome: 'complete', matchId: 'm1' });
    await expectNoEffect(store, ids, () => end(store, acceptBy + 9_000));
    expect(await store.blamed(10)).toEqual([]);
    await store.confirm('m1', ids, 'Found.', late);
    expect(await store.find('t1')).toMatchObject({ state: 'placing' });
  });

  given('cannot be accepted after its end', async (store) => {
    await aReadyCheck(store);
    await end(store, acceptBy);
    const late = await expectNoEffect(store, ids, () => accept(store, 't1', 'ann', acceptBy));
    expect(late).toEqual({ outcome: 'too-late', state: 'cancelled' });
  });
}

function describeBlame(given: StoreTest): void {
  given('blames nobody for a check that ends excused', async (store) => {
    await aReadyCheck(store);
    await store.endReadyCheck('m1', new Map(), 'Over.', acceptBy, true);
    expect(await store.find('t1')).toMatchObject({ state: 'cancelled', reason: 'Over.' });
    expect(await store.blamed(10)).toEqual([]);
    expect((await store.holdsOf(['ann', 'bob'])).filter(({ blamed }) => blamed)).toEqual([]);
  });

  given('stores the blame until it is removed', async (store) => {
    await aReadyCheck(store);
    expect(await store.blamed(10)).toEqual([]);
    await decline(store, 't1', 'bob', testTime + 7);
    const blame = { matchId: 'm1', queue: 'duel', playerIds: ['bob'], at: testTime + 7 };
    expect(await store.blamed(10)).toEqual([blame]);
    expect(await store.blamed(10)).toEqual([blame]);
    await claimAsking(store, 'm2', ['t2', 't3']);
    await store.endReadyCheck('m2', new Map(), 'Fell apart.', acceptBy);
    const later = { matchId: 'm2', queue: 'duel', playerIds: ['cid', 'dan'], at: acceptBy };
    expect(await store.blamed(10)).toEqual([blame, later]);
    expect(await store.blamed(1)).toEqual([blame]);
    expect(await store.blamed(0)).toEqual([]);
    await store.forgetBlame('m1');
    await store.forgetBlame('m1');
    expect(await store.blamed(10)).toEqual([later]);
  });

  given(
    'returns the blame with the player until the penalty is written, from the step that releases them',
    async (store) => {
      await aReadyCheck(store);
      const everybody = ['zoe', 'ann', 'bob', 'cid'];
      const held = (playerId: string, ticketId: string | null, blamed = false) => ({
        playerId,
        ticketId,
        blamed,
      });
      expect(await store.holdsOf(everybody)).toEqual([
        held('ann', 't1'),
        held('bob', 't1'),
        held('cid', 't2'),
      ]);
      await decline(store, 't1', 'bob');
      expect(await store.holdsOf(everybody)).toEqual([held('bob', null, true), held('cid', 't2')]);
      await store.forgetBlame('m1');
      expect(await store.holdsOf(everybody)).toEqual([held('cid', 't2')]);
      expect(await store.holdsOf([])).toEqual([]);
    },
  );
}
