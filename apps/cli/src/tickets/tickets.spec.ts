import type { TicketView } from '@muster/contracts';
import { expect, it } from 'vitest';
import { rowOf } from './tickets.js';

it('a ticket shows its age in a unit that is easy to read', () => {
  const ticket: TicketView = {
    ticketId: 'tkt_12345678',
    queue: '5v5',
    build: '1.4',
    players: ['ann', 'bob'],
    state: 'waiting',
    seq: 1,
    reason: 'You are in the queue.',
    at: 0,
    enqueuedAt: 0,
    expiresAt: 600_000,
    closed: false,
  };
  const ageAfter = (ms: number) => rowOf(ticket, ms)[3];
  expect([45_000, 750_000, 10_800_000].map(ageAfter)).toEqual(['45 s', '12 min', '3 h']);
  expect(rowOf(ticket, 45_000)).toEqual([
    'tkt_12345678',
    '5v5',
    'waiting',
    '45 s',
    'ann, bob',
    'You are in the queue.',
  ]);
});
