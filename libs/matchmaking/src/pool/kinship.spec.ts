import type { QueueRules, Ticket } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { defaultQueues } from '../default-rules.js';
import { compileRules } from './compiled-rules.js';
import { Kinship } from './kinship.js';
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

describe('kins and groups', () => {
  it('of builds that nobody waits with any more are let go', () => {
    const kinship = new Kinship();
    const rules = compileRules(duel);
    for (let i = 0; i < 1_000; i++) {
      const kin = kinship.enter(ticket('t', { build: `b${i}` }, `p${i}`), rules, false);
      expect(kin.index).toBe(0);
      kinship.leave(kin, 1);
      expect(kinship.release()).toBe(true);
    }
    expect(kinship.groups).toEqual([]);
  });

  it('of more builds than two bytes can number keep their numbers', () => {
    const table = new TicketTable();
    const slots = [7, 65_535, 65_536, 70_000].map((kin) => table.insert(ticket(`t${kin}`), 0, kin, []));
    expect(slots.map((slot) => table.kin[slot])).toEqual([7, 65_535, 65_536, 70_000]);
    for (let i = 0; i < 100; i++) table.insert(ticket(`more${i}`), 0, 80_000, []);
    expect([...slots, 99].map((slot) => table.kin[slot])).toEqual([7, 65_535, 65_536, 70_000, 80_000]);
  });

  it('of one platform have lanes while somebody asks for them, and no longer', () => {
    const kinship = new Kinship();
    const rules = compileRules(duel);
    const any = kinship.enter(ticket('any', {}, 'pc'), rules, false);
    const [all, own] = any.doors.map(({ group }) => group);
    expect([all?.isOpen, own?.onRequest, own?.requests]).toEqual([true, true, 0]);
    const alone = kinship.enter(ticket('alone', { crossPlay: false }, 'pc'), rules, false);
    expect(alone.doors.map(({ group }) => group)).toEqual([own]);
    expect([own?.requests, own?.players, all?.players]).toEqual([1, 2, 1]);
    kinship.leave(alone, 1);
    expect([own?.requests, own?.players]).toEqual([0, 1]);
  });
});
