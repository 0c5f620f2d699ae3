import type { LeaveMatchResult } from '@muster/domain';
import { aTicket, MemoryTicketStore, testTime as now } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { ApplyMatchUpdates } from './match-updates.js';
import { MyTickets } from './my-tickets.js';

/** Ann (with her friend Al) and Bob are in match m1, which is looking for a server; the allocator answers as it is told. */
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
  const hear = new ApplyMatchUpdates(store, { charge: async () => undefined }, clock);
  const leaving = {
    leave: async (matchId: string, ticketId: string) => {
      asked.push(`${matchId} ${ticketId}`);
      return answer();
    },
    hear: (news: Parameters<typeof hear.run>[0]) => hear.run(news),
  };
  return { store, asked, tickets: new MyTickets(store, clock, leaving), ticketIds };
}

const left = { outcome: 'left', ticketIds: ['t-ann', 't-bob'], reason: 'Somebody left.' } as const;

describe('a player leaves a match that finds no server', () => {
  it('and is out at once, with their party; the others wait at their old place', async () => {
    const { store, tickets, asked } = await placing(() => left);
    const { enqueuedAt } = (await store.find('t-bob')) ?? {};
    const gone = await tickets.cancel('t-ann', 'al');
    expect(gone).toMatchObject({ state: 'cancelled', closed: true });
    expect(gone.reason).toContain('no penalty');
    expect(await store.holdsOf(['ann', 'al'])).toEqual([]);
    expect(await store.find('t-bob')).toMatchObject({
      state: 'waiting',
      enqueuedAt,
      reason: 'Somebody left. You are back at your old place in the queue.',
    });
    expect(await tickets.cancel('t-ann', 'ann')).toMatchObject({ state: 'cancelled' });
    expect(asked).toEqual(['m1 t-ann']);
  });

  it('and stays when there is a server, or before the rules allow it, and is told when they do', async () => {
    const refusals: [LeaveMatchResult, object, string][] = [
      [{ outcome: 'has-server' }, { state: 'placing' }, 'has a server'],
      [{ outcome: 'too-soon', waitMs: null }, { state: 'placing' }, 'is being looked for'],
      [{ outcome: 'too-soon', waitMs: 9_001 }, { state: 'placing', retryAfterSeconds: 10 }, 'in 10 s'],
    ];
    for (const [answer, facts, words] of refusals) {
      const { tickets, store } = await placing(() => answer);
      await expect(tickets.cancel('t-bob', 'bob')).rejects.toMatchObject({
        code: 'ticket-already-matched',
        facts,
        message: expect.stringContaining(words),
      });
      expect(await store.find('t-bob')).toMatchObject({ state: 'placing' });
    }
  });

  it('and leaves the queue, when the match was given up between two looks', async () => {
    const { tickets, store, ticketIds } = await placing(async () => {
      const words = { back: 'Back.', ended: 'Ended.', left: 'Left.', late: 'Late.' };
      await store.remake('m1', ticketIds, ['t-ann'], words, now, ['t-ann']);
      return { outcome: 'over' };
    });
    expect(await tickets.cancel('t-bob', 'bob')).toMatchObject({
      state: 'cancelled',
      reason: 'You left the queue.',
    });
  });

  it('and is never let go from one that they are not in', async () => {
    const { tickets, asked } = await placing(() => left);
    await expect(tickets.cancel('t-ann', 'bob')).rejects.toMatchObject({ code: 'ticket-not-found' });
    expect(asked).toEqual([]);
  });
});
