import type { FillSeatJob } from '@muster/contracts';
import type { FillResult, Explanation, SeatFill } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { FillSeat } from './fill-seat.js';

const job: FillSeatJob = {
  proposalId: 'fil_1',
  backfillId: 'bfl_1',
  matchId: 'mat_1',
  ticketId: 'tkt_1',
  team: 1,
  players: [
    { playerId: 'ann', mu: 25, sigma: 2, canPlay: ['tank', 'healer'] },
    { playerId: 'ben', mu: 26, sigma: 2, canPlay: ['tank'] },
  ],
  roles: { healer: 1 },
  waitedMs: 5,
};

/** A store that returns the given outcome, and records its calls. */
function setUp(answer: FillResult) {
  const seats: SeatFill[] = [];
  const refusals: { reason: Explanation; failed: readonly string[]; ticketIds: readonly string[] }[] = [];
  const store = {
    seat: async (taken: SeatFill) => {
      seats.push(taken);
      return answer;
    },
    refuse: async (
      _id: string,
      reason: Explanation,
      failed: readonly string[],
      ticketIds: readonly string[],
    ) => {
      refusals.push({ reason, failed, ticketIds });
      return { verdict: 'refused' as const, reason, failedTicketIds: failed };
    },
  };
  return { fillSeat: new FillSeat(store, { now: () => 7 }), seats, refusals };
}

describe('C17 a seat in a running match', () => {
  it('is taken with the missing role', async () => {
    const { fillSeat, seats, refusals } = setUp({ outcome: 'filled' });
    expect(await fillSeat.run(job)).toBe('filled');
    expect(seats[0]?.players).toEqual([
      { playerId: 'ann', mu: 25, sigma: 2, role: 'healer' },
      { playerId: 'ben', mu: 26, sigma: 2 },
    ]);
    expect(refusals).toEqual([]);
  });

  it('that is gone sends the ticket back without failing it', async () => {
    const { fillSeat, refusals } = setUp({ outcome: 'gone' });
    expect(await fillSeat.run(job)).toBe('refused');
    expect(refusals).toMatchObject([{ failed: [], ticketIds: ['tkt_1'] }]);
  });

  it('is refused to a ticket with a player in another match: it fails, and names the player', async () => {
    const { fillSeat, refusals } = setUp({ outcome: 'busy', playerIds: ['ben'] });
    expect(await fillSeat.run(job)).toBe('refused');
    expect(refusals).toMatchObject([
      { failed: ['tkt_1'], reason: [{ code: 'seat.players-busy', params: { players: ['ben'] } }] },
    ]);
  });

  it('that was decided before stays unchanged', async () => {
    const { fillSeat, refusals } = setUp({ outcome: 'decided', verdict: 'formed' });
    expect(await fillSeat.run(job)).toBe('decided before');
    expect(refusals).toEqual([]);
  });
});
