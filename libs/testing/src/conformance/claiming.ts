import type { Proposal, TicketStore } from '@muster/domain';
import { describe, expect } from 'vitest';
import { aTicket, anAssignment, testTime } from '../generators.js';
import { claim, expectNoEffect, expectStory, leaseMs, type StoreTest } from './harness.js';

/** The lease, proposals, and their confirmation or release. */
export function describeClaiming(given: StoreTest): void {
  describe('the lease', () => describeLease(given));
  describe('propose', () => describePropose(given));
  describe('overdue proposals', () => describeOverdue(given));
  describe('confirm', () => describeConfirm(given));
  describe('release', () => describeRelease(given));
}

async function enqueue(store: TicketStore, ...ids: string[]): Promise<void> {
  for (const [i, ticketId] of ids.entries()) {
    await store.enqueue(aTicket({ ticketId, enqueuedAt: testTime + i }), testTime + i);
  }
}

function proposal(matchId: string, ticketIds: readonly string[], more: Partial<Proposal> = {}): Proposal {
  return { matchId, queue: 'duel', ticketIds, job: `job of ${matchId}`, reason: 'A match.', ...more };
}

function describeLease(given: StoreTest): void {
  const acquire = (store: TicketStore, holder: string, now: number, queue = 'duel') =>
    store.acquireLease(queue, holder, 1_000, now);

  given('has one holder, who may renew it and keeps the epoch', async (store) => {
    const lease = await acquire(store, 'a', testTime);
    expect(lease).toEqual({ epoch: lease?.epoch, expiresAt: testTime + 1_000 });
    expect(lease?.epoch).toBeGreaterThan(0);
    expect(await acquire(store, 'b', testTime + 999)).toBeNull();
    expect(await acquire(store, 'a', testTime + 999)).toEqual({
      epoch: lease?.epoch,
      expiresAt: testTime + 1_999,
    });
    expect(await acquire(store, 'b', testTime + 1_998)).toBeNull();
  });

  given('is separate for each queue', async (store) => {
    expect(await acquire(store, 'a', testTime, 'duel')).not.toBeNull();
    expect(await acquire(store, 'b', testTime, 'squad')).not.toBeNull();
  });

  given('goes to another holder once it expired, under a larger epoch', async (store) => {
    const first = await acquire(store, 'a', testTime);
    const second = await acquire(store, 'b', testTime + 1_000);
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
    expect(await acquire(store, 'a', testTime + 1_001)).toBeNull();
    const third = await acquire(store, 'a', testTime + 2_000);
    expect(third?.epoch).toBeGreaterThan(second?.epoch ?? Infinity);
  });

  given('can be released early, by its holder only', async (store) => {
    const first = await acquire(store, 'a', testTime);
    await store.releaseLease('duel', 'b');
    expect(await acquire(store, 'b', testTime + 1)).toBeNull();
    await store.releaseLease('duel', 'a');
    await store.releaseLease('duel', 'a');
    const second = await acquire(store, 'b', testTime + 2);
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
    await store.releaseLease('duel', 'a');
    expect(await acquire(store, 'a', testTime + 3)).toBeNull();
  });

  given('uses no epoch twice, not even for the same holder', async (store) => {
    const first = await acquire(store, 'a', testTime);
    await store.releaseLease('duel', 'a');
    const second = await acquire(store, 'a', testTime + 1);
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
  });
}

function describePropose(given: StoreTest): void {
  given('stores the rules version of the match, where it is given', async (store) => {
    await enqueue(store, 't1', 't2');
    const { epoch = 0 } = (await store.acquireLease('duel', 'me', leaseMs, testTime)) ?? {};
    const told = (await store.find('t1'))?.rulesVersion;
    await store.propose(proposal('m1', ['t1'], { rulesVersion: 7 }), epoch, leaseMs, testTime);
    await store.propose(proposal('m2', ['t2']), epoch, leaseMs, testTime);
    expect((await store.find('t1'))?.rulesVersion).toBe(7);
    expect((await store.find('t2'))?.rulesVersion).toBe(told);
  });

  given('claims all tickets', async (store) => {
    await enqueue(store, 't1', 't2', 't3');
    await claim(store, 'm1', ['t1', 't3'], testTime + 9);
    for (const id of ['t1', 't3']) {
      const at = testTime + 9;
      expect(await store.find(id)).toMatchObject({
        state: 'proposed',
        reason: 'A match.',
        at,
        matchId: 'm1',
        closed: false,
      });
      await expectStory(store, id, ['waiting', 'proposed']);
    }
    expect(await store.waiting('duel', 10)).toEqual(['t2']);
  });

  for (const place of [0, 1, 2]) {
    given(`claims none when ticket ${place + 1} of 3 is gone`, async (store) => {
      await enqueue(store, 't1', 't2', 't3');
      await store.enqueue(aTicket({ ticketId: 'squad', queue: 'squad' }), testTime);
      await enqueue(store, 'cancelled', 'claimed');
      await store.cancel('cancelled', 'Enough.', testTime);
      await claim(store, 'm1', ['claimed']);
      const lease = await store.acquireLease('duel', 'matcher', 60_000, testTime);
      for (const gone of ['cancelled', 'claimed', 'squad', 'unknown']) {
        const ids = ['t1', 't2', 't3'].with(place, gone);
        const all = ['t1', 't2', 't3', 'cancelled', 'claimed', 'squad'];
        const propose = () => store.propose(proposal(`m-${gone}`, ids), lease?.epoch ?? 0, leaseMs, testTime);
        expect(await expectNoEffect(store, all, propose)).toEqual({ outcome: 'gone', ticketId: gone });
      }
      expect(await store.overdueProposals(testTime + leaseMs, leaseMs, 10)).toHaveLength(1);
    });
  }

  given('answers a repeat with "claimed" and claims nothing again, under any epoch', async (store) => {
    await enqueue(store, 't1', 't2');
    await claim(store, 'm1', ['t1', 't2']);
    const repeat = () => store.propose(proposal('m1', ['t1', 't2']), 0, leaseMs, testTime + 5);
    expect(await expectNoEffect(store, ['t1', 't2'], repeat)).toEqual({ outcome: 'claimed' });
    await store.confirm('m1', ['t1', 't2'], 'Found.', testTime);
    expect(await expectNoEffect(store, ['t1', 't2'], repeat)).toEqual({ outcome: 'claimed' });
    expect(await store.overdueProposals(testTime + 1e6, leaseMs, 10)).toEqual([]);
  });

  given('does not claim released tickets again on a repeat', async (store) => {
    await enqueue(store, 't1', 't2');
    await claim(store, 'm1', ['t1', 't2']);
    await store.release('m1', ['t1', 't2'], [], 'Fell apart.', testTime);
    const lease = await store.acquireLease('duel', 'matcher', 60_000, testTime);
    const repeat = () => store.propose(proposal('m1', ['t1', 't2']), lease?.epoch ?? 0, leaseMs, testTime);
    expect(await expectNoEffect(store, ['t1', 't2'], repeat)).toEqual({ outcome: 'gone', ticketId: 't1' });
  });

  given('refuses an epoch that is no longer in force, and one that never was', async (store) => {
    await enqueue(store, 't1');
    const old = await store.acquireLease('duel', 'a', 10, testTime);
    const epoch = old?.epoch ?? 0;
    const refused = async (stale: number): Promise<void> => {
      const propose = () => store.propose(proposal('m1', ['t1']), stale, leaseMs, testTime + 20);
      expect(await expectNoEffect(store, ['t1'], propose)).toEqual({ outcome: 'stale-epoch' });
    };
    await refused(epoch + 1);
    await store.acquireLease('duel', 'b', 10, testTime + 20);
    await refused(epoch);
    const other = proposal('m2', ['t1'], { queue: 'squad' });
    expect(await store.propose(other, epoch, leaseMs, testTime)).toEqual({ outcome: 'stale-epoch' });
    expect(await store.overdueProposals(testTime + 1e6, leaseMs, 10)).toEqual([]);
  });

  given('accepts an epoch until another one replaces it', async (store) => {
    await enqueue(store, 't1');
    const lease = await store.acquireLease('duel', 'a', 10, testTime);
    const answer = await store.propose(proposal('m1', ['t1']), lease?.epoch ?? 0, leaseMs, testTime + 99);
    expect(answer).toEqual({ outcome: 'claimed' });
  });
}

function describeOverdue(given: StoreTest): void {
  const due = testTime + leaseMs;

  given('come with their job once the lease expired, to one caller at a time', async (store) => {
    await enqueue(store, 't1', 't2');
    await claim(store, 'm1', ['t1']);
    await claim(store, 'm2', ['t2'], testTime + 1);
    expect(await store.overdueProposals(due - 1, leaseMs, 10)).toEqual([]);
    expect(await store.overdueProposals(due, leaseMs, 10)).toEqual([{ matchId: 'm1', job: 'job of m1' }]);
    expect(await store.overdueProposals(due, leaseMs, 10)).toEqual([]);
    expect(await store.overdueProposals(due + 1, leaseMs, 10)).toEqual([{ matchId: 'm2', job: 'job of m2' }]);
    const again = await store.overdueProposals(due + 2 * leaseMs, leaseMs, 1);
    expect(again).toEqual([{ matchId: 'm1', job: 'job of m1' }]);
  });

  given('end with the first verdict', async (store) => {
    await enqueue(store, 't1', 't2', 't3', 't4');
    for (const n of [1, 2, 3, 4]) await claim(store, `m${n}`, [`t${n}`]);
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    await store.release('m2', ['t2'], [], 'Fell apart.', testTime);
    await store.assign('t3', anAssignment('m3'), 'Go.', testTime);
    await store.close('m4', ['t4'], 'abandoned', 'No result.', testTime);
    expect(await store.overdueProposals(due, leaseMs, 10)).toEqual([]);
  });
}

function describeConfirm(given: StoreTest): void {
  given('moves the proposed tickets to placing, once', async (store) => {
    await enqueue(store, 't1', 't2');
    await claim(store, 'm1', ['t1', 't2']);
    await store.confirm('m1', ['t1', 't2'], 'Found.', testTime + 3);
    for (const id of ['t1', 't2']) {
      expect(await store.find(id)).toMatchObject({
        state: 'placing',
        reason: 'Found.',
        at: testTime + 3,
        matchId: 'm1',
        matchState: 'formed',
      });
      await expectStory(store, id, ['waiting', 'proposed', 'placing']);
    }
    await expectNoEffect(store, ['t1', 't2'], () => store.confirm('m1', ['t1', 't2'], 'Again.', testTime));
  });

  given('has no effect on tickets of another match, waiting or unknown ones', async (store) => {
    await enqueue(store, 't1', 't2');
    await claim(store, 'm1', ['t1']);
    const ids = ['t1', 't2', 't0'];
    await expectNoEffect(store, ids, () => store.confirm('m2', ids, 'Found.', testTime));
    expect(await store.find('t0')).toBeNull();
  });

  given('has no effect after a release', async (store) => {
    await enqueue(store, 't1');
    await claim(store, 'm1', ['t1']);
    await store.release('m1', ['t1'], [], 'Fell apart.', testTime);
    await expectNoEffect(store, ['t1'], () => store.confirm('m1', ['t1'], 'Found.', testTime));
  });
}

function describeRelease(given: StoreTest): void {
  given('returns innocent tickets with their enqueue times and ends the others', async (store) => {
    await enqueue(store, 't1', 't2', 't3', 't4', 't5');
    await claim(store, 'm1', ['t4', 't2', 't3']);
    await store.release('m1', ['t4', 't2', 't3'], ['t3'], 'A player is gone.', testTime + 50);
    expect(await store.waiting('duel', 10)).toEqual(['t1', 't2', 't4', 't5']);
    const innocent = await store.find('t2');
    expect(innocent).toMatchObject({ state: 'waiting', reason: 'A player is gone.', at: testTime + 50 });
    expect(innocent).toMatchObject({ enqueuedAt: testTime + 1, closed: false });
    expect(innocent?.matchId).toBeUndefined();
    expect(await store.ticketOf('player of t2')).toBe('t2');
    expect(await store.find('t3')).toMatchObject({ state: 'failed', closed: true });
    expect(await store.ticketOf('player of t3')).toBeNull();
    for (const id of ['t2', 't4']) await expectStory(store, id, ['waiting', 'proposed', 'waiting']);
    await expectStory(store, 't3', ['waiting', 'proposed', 'failed']);
  });

  given('happens once, also when the tickets are in another proposal by then', async (store) => {
    await enqueue(store, 't1', 't2');
    await claim(store, 'm1', ['t1', 't2']);
    const release = () => store.release('m1', ['t1', 't2'], ['t2'], 'Fell apart.', testTime);
    await release();
    await expectNoEffect(store, ['t1', 't2'], release);
    await claim(store, 'm2', ['t1']);
    await expectNoEffect(store, ['t1', 't2'], release);
    expect(await store.overdueProposals(testTime + leaseMs, leaseMs, 10)).toHaveLength(1);
  });

  given('has no effect after a confirm, and for other matches or unknown tickets', async (store) => {
    await enqueue(store, 't1', 't2', 't3');
    await claim(store, 'm1', ['t1']);
    await claim(store, 'm2', ['t2']);
    await store.confirm('m1', ['t1'], 'Found.', testTime);
    const ids = ['t1', 't2', 't3', 't0'];
    await expectNoEffect(store, ids, () => store.release('m1', ids, ids, 'Fell apart.', testTime));
  });
}
