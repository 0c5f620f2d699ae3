import { describe, expect, it } from 'vitest';
import { Judge } from './judge.js';
import { TicketTable } from './lanes/ticket-table.js';

describe('how unfair a match is', () => {
  const judge = new Judge(
    new TicketTable(),
    () => {
      throw new Error('no rules are asked for');
    },
    4,
  );

  it('is the distance of the chance from one half: of players whose ratings are unsure it is less', () => {
    // Normal chances of 1 and of 1/2 standard deviations; the logistic curve is within 0.0095 of them.
    expect(Math.abs(judge.unfairness({ seats: 4, variance: 0 }, 8) - 0.3413)).toBeLessThan(0.0095);
    expect(Math.abs(judge.unfairness({ seats: 4, variance: 192 }, 8) - 0.1915)).toBeLessThan(0.0095);
    expect(judge.unfairness({ seats: 4, variance: 192 }, 0)).toBe(0);
  });
});
