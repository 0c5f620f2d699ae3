import type { QueueRules, Ticket } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { defaultQueues } from '../../default-rules.js';
import { compileRules } from '../compiled-rules.js';
import { TicketClasses } from './ticket-classes.js';
import { TicketTable } from './ticket-table.js';

const [, duel] = defaultQueues as [QueueRules, QueueRules];
const now = 1_000_000_000;
const ticket = (id: string, more: Partial<Ticket> = {}, platform?: string): Ticket => ({
  ticketId: id,
  queue: '1v1',
  build: 'b',
  players: [{ playerId: id, mu: 25, sigma: 8, ...(platform === undefined ? {} : { platform }) }],
  latencyMs: {},
  enqueuedAt: now,
  expiresAt: now + 600_000,
  fingerprint: '',
  ...more,
});

describe('ticket classes and groups', () => {
  it('are removed when the last ticket of their build leaves', () => {
    const classes = new TicketClasses();
    const rules = compileRules(duel);
    for (let i = 0; i < 1_000; i++) {
      const ticketClass = classes.enter(ticket('t', { build: `b${i}` }, `p${i}`), rules, false);
      expect(ticketClass.index).toBe(0);
      classes.leave(ticketClass, 1);
      expect(classes.release()).toBe(true);
    }
    expect(classes.groups).toEqual([]);
  });

  it('keep their numbers beyond 65,536 builds', () => {
    const table = new TicketTable();
    const slots = [7, 65_535, 65_536, 70_000].map((ticketClass) =>
      table.insert(ticket(`t${ticketClass}`), 0, ticketClass),
    );
    expect(slots.map((slot) => table.ticketClass[slot])).toEqual([7, 65_535, 65_536, 70_000]);
    for (let i = 0; i < 100; i++) table.insert(ticket(`more${i}`), 0, 80_000);
    expect([...slots, 99].map((slot) => table.ticketClass[slot])).toEqual([
      7, 65_535, 65_536, 70_000, 80_000,
    ]);
  });

  it('of one platform have lanes only while a ticket asks for them', () => {
    const classes = new TicketClasses();
    const rules = compileRules(duel);
    const any = classes.enter(ticket('any', {}, 'pc'), rules, false);
    const [all, own] = any.entries.map(({ group }) => group);
    expect([all?.isOpen, own?.onRequest, own?.requests]).toEqual([true, true, 0]);
    const alone = classes.enter(ticket('alone', { crossPlay: false }, 'pc'), rules, false);
    expect(alone.entries.map(({ group }) => group)).toEqual([own]);
    expect([own?.requests, own?.players, all?.players]).toEqual([1, 2, 1]);
    classes.leave(alone, 1);
    expect([own?.requests, own?.players]).toEqual([0, 1]);
  });
});
