import { aTicket } from '@muster/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tracedOf } from './match-span.js';

const tickets = fc.uniqueArray(
  fc.record({
    ticketId: fc.string({ minLength: 1, maxLength: 4 }),
    enqueuedAt: fc.integer({ min: 0, max: 3 }),
    trace: fc.option(fc.constant('a trace'), { nil: undefined }),
  }),
  { selector: ({ ticketId }) => ticketId, maxLength: 10 },
);

describe('the trace of a match', () => {
  it('is that of the traced ticket that waited longest, in whatever order they come', () => {
    fc.assert(
      fc.property(tickets, fc.integer({ min: 0, max: 10 }), (facts, turn) => {
        const members = facts.map((each) => ({ ...aTicket(), ...each }));
        const turned = [...members.slice(turn), ...members.slice(0, turn)];
        const [lead, ...others] = tracedOf(members);
        expect(tracedOf(turned)).toEqual(tracedOf(members));
        expect(lead === undefined).toBe(members.every(({ trace }) => trace === undefined));
        for (const { enqueuedAt, ticketId } of others)
          expect(
            enqueuedAt > (lead?.enqueuedAt ?? 0) ||
              (enqueuedAt === lead?.enqueuedAt && ticketId > lead.ticketId),
          ).toBe(true);
        expect(others).toHaveLength(
          Math.max(0, members.filter(({ trace }) => trace !== undefined).length - 1),
        );
      }),
    );
  });
});
