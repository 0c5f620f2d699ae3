import { isLast, message, type LeaveMatchResult } from '@muster/domain';
import { aTicket, anAssignment, MemoryTicketStore, noLoss, testTime as now } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { ReadTickets } from '../core/read-tickets.js';
import { CancelTicket } from './cancel-ticket.js';
import { ApplyMatchUpdates } from '../updates/match-updates.js';

/** Ann (with her friend Al) and Bob are in match m1, which awaits a server; the test sets the allocator's answer. */
async function placing(answer: () => LeaveMatchResult | Promise<LeaveMatchResult>) {
  const store = new MemoryTicketStore();
  const clock = { now: () => now };
  await store.enqueue(aTicket({ ticketId: 't-ann', players: ['ann', 'al'] }), now);
  await store.enqueue(aTicket({ ticketId: 't-bob', players: ['bob'] }), now);
  const { epoch = 0 } = (await store.acquireLease('duel', 'me', 60_000, now)) ?? {};
  const ticketIds = ['t-ann', 't-bob'];
  await store.propose(
    { matchId: 'm1', queue: 'duel', ticketIds, job: '{}', reason: 'Found.' },
    epoch,
    8_000,
    now,
  );
  await store.confirm('m1', ticketIds, 'Teams are made.', now);
  const asked: string[] = [];
  const updates = new ApplyMatchUpdates(
    store,
    { charge: async () => undefined },
    clock,
    { tickets: async () => undefined },
    { pass: async () => ({ outcome: 'unknown' }) },
  );
  const allocator = {
    leave: async (matchId: string, ticketId: string) => {
      asked.push(`${matchId} ${ticketId}`);
      return answer();
    },
  };
  const read = new ReadTickets(store, noLoss, noLoss, clock);
  return { store, asked, tickets: new CancelTicket(store, read, allocator, updates, clock), ticketIds };
}

const left = { outcome: 'left', ticketIds: ['t-ann', 't-bob'], reason: 'Somebody left.' } as const;

describe('an operator who ends a ticket whose match is being formed', () => {
  const why = message('ticket.ended-by-operator', { detail: 'a test' });

  /** Ann and Bob are proposed. */
  async function proposed() {
    const store = new MemoryTicketStore();
    const clock = { now: () => now };
    for (const name of ['ann', 'bob'])
      await store.enqueue(aTicket({ ticketId: `t-${name}`, players: [name] }), now);
    const { epoch = 0 } = (await store.acquireLease('duel', 'me', 60_000, now)) ?? {};
    const ticketIds = ['t-ann', 't-bob'];
    await store.propose(
      { matchId: 'm1', queue: 'duel', ticketIds, job: '{}', reason: 'Found.' },
      epoch,
      8_000,
      now,
    );
    const updates = { run: async () => undefined };
    const tickets = new CancelTicket(
      store,
      new ReadTickets(store, noLoss, noLoss, clock),
      null,
      updates,
      clock,
    );
    return { store, ticketIds, tickets };
  }

  it('waits until it is refused, and ends the ticket then', async () => {
    const { store, ticketIds, tickets } = await proposed();
    const settled = async () => store.release('m1', ticketIds, [], 'Refused.', now);
    expect(await tickets.byOperator('t-ann', why, settled)).toMatchObject({ state: 'cancelled' });
    expect(await store.find('t-bob')).toMatchObject({ state: 'waiting' });
  });

  it('is told which match to end once it is formed, and when to try again while it is not', async () => {
    const { store, ticketIds, tickets } = await proposed();
    const refusal = { code: 'ticket-already-matched' };
    await expect(tickets.byOperator('t-ann', why, async () => undefined)).rejects.toMatchObject({
      ...refusal,
      facts: { state: 'proposed', retryAfterSeconds: 5 },
    });
    const settled = async () => store.confirm('m1', ticketIds, 'Teams are made.', now);
    await expect(tickets.byOperator('t-ann', why, settled)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringContaining('POST /v1/matches/m1/end'),
    });
  });
});

describe('leaving a match that finds no server', () => {
  it('ends the ticket at once, with the party; the others return to the queue with their enqueue times', async () => {
    const { store, tickets, asked } = await placing(() => left);
    const { enqueuedAt } = (await store.find('t-bob')) ?? {};
    const gone = await tickets.run('t-ann', 'al');
    expect(gone).toMatchObject({ state: 'cancelled', closed: true });
    expect(gone.reason).toContain('no penalty');
    expect(await store.holdsOf(['ann', 'al'])).toEqual([]);
    expect(await store.find('t-bob')).toMatchObject({
      state: 'waiting',
      enqueuedAt,
      reason: 'Somebody left. You are back at your old place in the queue.',
    });
    expect(await tickets.run('t-ann', 'ann')).toMatchObject({ state: 'cancelled' });
    expect(asked).toEqual(['m1 t-ann']);
  });

  it('is refused once there is a server, or before the rules allow it, and says when they do', async () => {
    const refusals: [LeaveMatchResult, object, string][] = [
      [{ outcome: 'has-server' }, { state: 'placing' }, 'has a server'],
      [{ outcome: 'too-soon', waitMs: null }, { state: 'placing' }, 'is being looked for'],
      [{ outcome: 'too-soon', waitMs: 9_001 }, { state: 'placing', retryAfterSeconds: 10 }, 'in 10 s'],
    ];
    for (const [answer, facts, words] of refusals) {
      const { tickets, store } = await placing(() => answer);
      await expect(tickets.run('t-bob', 'bob')).rejects.toMatchObject({
        code: 'ticket-already-matched',
        facts,
        message: expect.stringContaining(words),
      });
      expect(await store.find('t-bob')).toMatchObject({ state: 'placing' });
    }
  });

  it('ends the ticket when the match was given up between two reads', async () => {
    const { tickets, store, ticketIds } = await placing(async () => {
      const words = { back: 'Back.', ended: 'Ended.', left: 'Left.', late: 'Late.' };
      await store.remake('m1', ticketIds, ['t-ann'], words, now, { left: ['t-ann'] });
      return { outcome: 'over' };
    });
    expect(await tickets.run('t-bob', 'bob')).toMatchObject({
      state: 'cancelled',
      reason: 'You left the queue.',
    });
  });

  it('is refused for a match that the player is not in', async () => {
    const { tickets, asked } = await placing(() => left);
    await expect(tickets.run('t-ann', 'bob')).rejects.toMatchObject({ code: 'ticket-not-found' });
    expect(asked).toEqual([]);
  });
});

describe('leaving a match whose server is silent', () => {
  const words = 'You left the match, whose server is silent.';

  it('answers with the ticket, again for a repeat, and says that the match goes on', async () => {
    const { store, tickets, asked } = await placing(() => ({
      outcome: 'left',
      ticketIds: ['t-ann'],
      reason: words,
    }));
    for (const ticketId of ['t-ann', 't-bob']) await store.assign(ticketId, anAssignment('m1'), 'Go.', now);
    const gone = { state: 'failed', matchState: 'placed', closed: true, reason: words };
    for (let i = 0; i < 2; i++) expect(await tickets.run('t-ann', 'al')).toMatchObject(gone);
    expect(asked).toEqual(['m1 t-ann']);
    expect(await store.holdsOf(['ann', 'al'])).toEqual([]);
    expect(await store.find('t-bob')).toMatchObject({
      state: 'assigned',
      matchState: 'placed',
      closed: false,
    });
    // The same update follows as a job.
    await store.close('m1', ['t-ann'], 'placed', words, now, 'failed');
    expect((await store.eventsAfter('t-ann', 0)).filter(isLast)).toHaveLength(1);
  });
});
