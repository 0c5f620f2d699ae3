import type { Ticket } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedSlots } from './sorted-slots.js';
import { TicketTable } from './ticket-table.js';

const ticket = (id: number, mu: number, enqueuedAt: number): Ticket => ({
  ticketId: `t${id}`,
  queue: 'q',
  build: 'b',
  players: [{ playerId: `p${id}`, mu, sigma: 8 }],
  latencyMs: {},
  enqueuedAt,
  expiresAt: 0,
  fingerprint: '',
});

/** Skills that differ only below the first 32 bits, equal skills, and negative ones. */
const skills = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: 0, max: 50 }).map((steps) => 25 + steps * 1e-9),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
);

describe('slots in the order of a lane', () => {
  it('are in the order of the table for any number, each living one once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(skills, fc.nat(3)), { maxLength: 1_200, size: 'max' }),
        fc.nat(5),
        (drawn, step) => {
          const table = new TicketTable();
          const slots = drawn.map(([mu, at], i) => table.insert(ticket(i, mu, at), 0, 0));
          for (const slot of slots) if (step > 0 && slot % (step + 1) === 1) table.kill(slot);
          const living = slots.filter((slot) => table.alive[slot] === 1);
          const twice = [...slots, ...slots.slice(0, 40)];
          expect(sortedSlots(twice, table)).toEqual(living.toSorted((a, b) => table.compare(a, b)));
        },
      ),
      { numRuns: 60 },
    );
  });
});
