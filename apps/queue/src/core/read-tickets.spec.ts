import { describe, expect, it } from 'vitest';
import { fateOf, ReadTickets } from './read-tickets.js';

const now = 1_000_000_000_000;
const minute = 60_000;
const hour = 60 * minute;
const never = { lostAt: 0 };

describe('what became of a ticket that the store does not know', () => {
  it('is nothing when its id was made up, whatever was lost', () => {
    expect(fateOf(null, { lostAt: now - minute }, now)).toBe('unknown');
  });

  it('is a loss when it is younger than ended tickets are kept', () => {
    expect(fateOf({ createdAt: now - 59 * minute }, never, now)).toBe('lost');
    expect(fateOf({ createdAt: now - 61 * minute }, never, now)).toBe('ended');
  });

  it('is taken for a loss when memory was lost after it was created, not long ago', () => {
    const old = { createdAt: now - 3 * hour };
    expect(fateOf(old, { lostAt: now - hour }, now)).toBe('lost');
    expect(fateOf(old, { lostAt: now - 4 * hour }, now)).toBe('ended');
    expect(fateOf({ createdAt: now - 48 * hour }, { lostAt: now - 25 * hour }, now)).toBe('ended');
    expect(fateOf({ createdAt: null }, { lostAt: now - hour }, now)).toBe('lost');
    expect(fateOf({ createdAt: null }, never, now)).toBe('ended');
  });

  it('is told only when tickets are whole: until then, one may still be restored', async () => {
    let isOpen = false;
    const memory = {
      look: async () => ({ state: 'broken' as const, isOpen, lostAt: now, loss: '1.1' }),
    };
    const empty = { find: async () => null, ticketOf: async () => null };
    const ids = { read: () => ({ createdAt: now - minute }) };
    const tickets = new ReadTickets(empty, memory, ids, { now: () => now });
    await expect(tickets.read('tkt_x', 'ann')).rejects.toMatchObject({ code: 'tickets-recovering' });
    await expect(tickets.current('ann')).rejects.toMatchObject({ code: 'tickets-recovering' });
    isOpen = true;
    await expect(tickets.read('tkt_x', 'ann')).rejects.toMatchObject({
      code: 'ticket-lost',
      message: expect.stringContaining('Queue again'),
      facts: { ticketId: 'tkt_x' },
    });
    await expect(tickets.current('ann')).rejects.toMatchObject({ code: 'ticket-not-found' });
  });

  it('is told an operator of any ticket, and players of theirs', async () => {
    const memory = { look: async () => ({ state: 'whole' as const, isOpen: true, lostAt: 0, loss: '' }) };
    const empty = { find: async () => null, ticketOf: async () => null };
    const tickets = new ReadTickets(empty, memory, { read: () => null }, { now: () => now });
    await expect(tickets.read('tkt_x', 'ann')).rejects.toThrow('There is no ticket tkt_x of yours.');
    await expect(tickets.read('tkt_x', null)).rejects.toThrow('There is no ticket tkt_x.');
  });
});
