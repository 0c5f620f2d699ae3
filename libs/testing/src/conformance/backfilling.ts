import type { OpenBackfill, Proposal, TicketStore } from '@muster/domain';
import { describe, expect } from 'vitest';
import { aTicket, anAssignment, testTime } from '../generators.js';
import { expectNoEffect, expectStory, leaseMs, type StoreTest } from './harness.js';

/** Seats in running matches: opened, claimed together with a ticket, taken or offered again, closed. */
export function describeBackfilling(given: StoreTest): void {
  describe('backfills', () => describeOpen(given));
  describe('claims of seats', () => describeClaims(given));
  describe('join', () => describeJoin(given));
}

function aBackfill(over: Partial<OpenBackfill> = {}): OpenBackfill {
  return {
    backfillId: 'b1',
    matchId: 'running',
    queue: 'duel',
    build: 'b',
    region: 'eu',
    map: null,
    team: 0,
    seats: 1,
    teams: [[], [{ playerId: 'x', mu: 25 }]],
    everybody: ['x', 'y'],
    rules: { mode: 'duel', pool: 'duel', teams: 2, teamGap: [{ afterSeconds: 0, limit: null }] },
    requestedAt: testTime,
    expiresAt: testTime + 60_000,
    ...over,
  };
}

const proposal = (matchId: string, ticketId: string, over: Partial<Proposal> = {}): Proposal => ({
  matchId,
  queue: 'duel',
  ticketIds: [ticketId],
  job: `job of ${matchId}`,
  reason: 'A seat.',
  backfill: { backfillId: 'b1', matchId: 'running' },
  ...over,
});

async function enqueue(store: TicketStore, ...ids: string[]): Promise<void> {
  for (const ticketId of ids) await store.enqueue(aTicket({ ticketId }), testTime);
}

async function propose(store: TicketStore, claim: Proposal) {
  const lease = await store.acquireLease('duel', 'matcher', 60_000, testTime);
  return store.propose(claim, lease?.epoch ?? 0, leaseMs, testTime + 1);
}

/** A backfill, and a ticket that is claimed for it. */
async function claimed(store: TicketStore): Promise<void> {
  await enqueue(store, 't1');
  await store.openBackfill(aBackfill());
  expect(await propose(store, proposal('p1', 't1'))).toEqual({ outcome: 'claimed' });
}

const openIds = async (store: TicketStore, queue = 'duel'): Promise<string[]> =>
  (await store.openBackfills(queue)).map(({ backfillId }) => backfillId).sort();

function describeOpen(given: StoreTest): void {
  given('are stored unchanged, each in its queue', async (store) => {
    expect(await store.openBackfills('duel')).toEqual([]);
    await store.openBackfill(aBackfill());
    await store.openBackfill(aBackfill({ backfillId: 'b2', queue: 'squad' }));
    expect(await store.openBackfills('duel')).toEqual([aBackfill()]);
    expect(await openIds(store, 'squad')).toEqual(['b2']);
  });

  given('stay closed, also after late updates', async (store) => {
    await store.closeBackfill('duel', 'b1');
    await store.openBackfill(aBackfill());
    await store.openBackfill(aBackfill({ backfillId: 'b2' }));
    await store.closeBackfill('duel', 'b2');
    await store.closeBackfill('duel', 'b2');
    await store.openBackfill(aBackfill({ backfillId: 'b2' }));
    expect(await openIds(store)).toEqual([]);
  });

  given('only lose seats', async (store) => {
    await store.openBackfill(aBackfill({ seats: 3 }));
    await store.openBackfill(aBackfill({ seats: 1 }));
    await store.openBackfill(aBackfill({ seats: 2 }));
    expect(await store.openBackfills('duel')).toEqual([aBackfill({ seats: 1 })]);
  });
}

function describeClaims(given: StoreTest): void {
  given('claim ticket and backfill together', async (store) => {
    await claimed(store);
    expect(await store.find('t1')).toMatchObject({ state: 'proposed', matchId: 'p1' });
    expect(await openIds(store)).toEqual([]);
    expect(await propose(store, proposal('p1', 't1'))).toEqual({ outcome: 'claimed' });
  });

  given('leave the second ticket unchanged when two are claimed for one backfill', async (store) => {
    await claimed(store);
    await enqueue(store, 't2');
    expect(await expectNoEffect(store, ['t2'], () => propose(store, proposal('p2', 't2')))).toEqual({
      outcome: 'taken',
    });
  });

  given('leave the second backfill open when two claim one ticket', async (store) => {
    await claimed(store);
    await store.openBackfill(aBackfill({ backfillId: 'b2', matchId: 'other' }));
    const claim = proposal('p2', 't1', { backfill: { backfillId: 'b2', matchId: 'other' } });
    expect(await propose(store, claim)).toEqual({ outcome: 'gone', ticketId: 't1' });
    expect(await openIds(store)).toEqual(['b2']);
  });

  given('must be for the queue of the backfill', async (store) => {
    await enqueue(store, 't1');
    await store.openBackfill(aBackfill({ queue: 'squad' }));
    expect(await propose(store, proposal('p1', 't1'))).toEqual({ outcome: 'taken' });
    expect((await store.find('t1'))?.state).toBe('waiting');
  });

  given('return the ticket and offer the seats again when refused, once', async (store) => {
    await claimed(store);
    await store.release('p1', ['t1'], [], 'It was gone.', testTime + 2);
    await expectStory(store, 't1', ['waiting', 'proposed', 'waiting']);
    expect(await store.openBackfills('duel')).toEqual([aBackfill()]);
    await propose(store, proposal('p2', 't1'));
    await store.release('p1', ['t1'], [], 'It was gone.', testTime + 3);
    expect(await openIds(store)).toEqual([]);
    expect(await store.find('t1')).toMatchObject({ state: 'proposed', matchId: 'p2' });
  });

  given('open nothing that was closed meanwhile, or has fewer seats, when refused', async (store) => {
    await claimed(store);
    await store.closeBackfill('duel', 'b1');
    await store.release('p1', ['t1'], [], 'It was gone.', testTime + 2);
    expect(await openIds(store)).toEqual([]);

    const two = { backfillId: 'b2', seats: 2 };
    await store.openBackfill(aBackfill(two));
    const claim = proposal('p2', 't1', { backfill: { backfillId: 'b2', matchId: 'running' } });
    expect(await propose(store, claim)).toEqual({ outcome: 'claimed' });
    await store.openBackfill(aBackfill({ ...two, seats: 1 }));
    await store.release('p2', ['t1'], [], 'It was gone.', testTime + 3);
    expect(await store.openBackfills('duel')).toEqual([aBackfill({ ...two, seats: 1 })]);
  });

  given('offer the seats again when declined', async (store) => {
    await enqueue(store, 't1');
    await store.openBackfill(aBackfill());
    const readyCheck = { acceptBy: testTime + 10, reason: 'Do you?' };
    await propose(store, proposal('p1', 't1', { readyCheck }));
    const [player] = (await store.find('t1'))?.players ?? [];
    await store.decline('t1', player?.playerId ?? '', 'No.', 'Others.', testTime + 2);
    expect(await openIds(store)).toEqual(['b1']);
    expect((await store.find('t1'))?.state).toBe('cancelled');
  });
}

function describeJoin(given: StoreTest): void {
  const assignment = anAssignment('running');

  given('moves the ticket into the match, before or after its verdict, once', async (store) => {
    await claimed(store);
    await store.join('p1', 't1', assignment, 'Come.', testTime + 2);
    expect(await store.find('t1')).toMatchObject({
      state: 'assigned',
      matchId: 'running',
      matchState: 'placed',
      assignment,
    });
    await expectNoEffect(store, ['t1'], async () => {
      await store.confirm('p1', ['t1'], 'Late.', testTime + 3);
      await store.release('p1', ['t1'], [], 'Late.', testTime + 3);
      await store.join('p1', 't1', assignment, 'Again.', testTime + 3);
    });
    expect(await store.overdueProposals(testTime + 2 * leaseMs, leaseMs, 10)).toEqual([]);
    await store.close('running', ['t1'], 'rated', 'Over.', testTime + 4);
    await expectStory(store, 't1', ['waiting', 'proposed', 'assigned', 'assigned']);
    expect((await store.find('t1'))?.closed).toBe(true);
  });

  given('follows the verdict, and a rejected ticket waits again', async (store) => {
    await claimed(store);
    await store.confirm('p1', ['t1'], 'A seat is yours.', testTime + 2);
    await store.release('p1', ['t1'], [], 'Late.', testTime + 2);
    await store.join('p1', 't1', assignment, 'Come.', testTime + 3);
    await expectStory(store, 't1', ['waiting', 'proposed', 'placing', 'assigned']);

    await enqueue(store, 't2');
    await store.openBackfill(aBackfill({ backfillId: 'b2' }));
    await propose(store, proposal('p2', 't2', { backfill: { backfillId: 'b2', matchId: 'running' } }));
    await store.confirm('p2', ['t2'], 'A seat is yours.', testTime + 4);
    const words = { back: 'Back.', ended: 'Ended.', left: 'Left.', late: 'Late.' };
    await store.remake('running', ['t2'], [], words, testTime + 5);
    await expectStory(store, 't2', ['waiting', 'proposed', 'placing', 'waiting']);
  });

  given('has no effect on a ticket of another claim, or of none', async (store) => {
    await claimed(store);
    await store.release('p1', ['t1'], [], 'It was gone.', testTime + 2);
    await expectNoEffect(store, ['t1'], () => store.join('p1', 't1', assignment, 'Come.', testTime + 3));
  });

  given('has no effect after the match is over: the ticket is closed, and stays so', async (store) => {
    await claimed(store);
    await store.confirm('p1', ['t1'], 'A seat is yours.', testTime + 2);
    expect(await store.find('t1')).toMatchObject({ state: 'placing', matchId: 'running' });
    await store.close('running', ['t1'], 'rated', 'Over.', testTime + 3);
    expect(await store.find('t1')).toMatchObject({ closed: true, matchId: 'running', matchState: 'rated' });
    await expectNoEffect(store, ['t1'], () => store.join('p1', 't1', assignment, 'Come.', testTime + 4));
  });

  given('has no effect after the match is cancelled: the ticket waits again', async (store) => {
    await claimed(store);
    const words = { back: 'Back.', ended: 'Ended.', left: 'Left.', late: 'Late.' };
    await store.remake('running', ['t1'], [], words, testTime + 3);
    expect((await store.find('t1'))?.state).toBe('waiting');
    await expectNoEffect(store, ['t1'], () => store.join('p1', 't1', assignment, 'Come.', testTime + 4));
    expect(await store.waiting('duel', 10)).toEqual(['t1']);
  });
}
