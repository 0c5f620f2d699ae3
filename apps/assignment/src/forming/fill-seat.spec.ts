import type { FillSeatJob } from '@muster/contracts';
import { RatingUnavailable, type FillResult, type Explanation, type SeatFill } from '@muster/domain';
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
function setUp(answer: FillResult, ratings: Record<string, number> | null = {}, isDecided = false) {
  const seats: SeatFill[] = [];
  const refusals: {
    reason: Explanation;
    failed: readonly string[];
    ticketIds: readonly string[];
    stale: boolean;
  }[] = [];
  const pools = {
    read: async (_pool: string, playerIds: readonly string[]) => {
      if (!ratings) throw new RatingUnavailable('No answer.');
      return playerIds.map((playerId) => ({ playerId, mu: ratings[playerId] ?? 25, sigma: 1, matches: 9 }));
    },
  };
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
      stale = false,
    ) => {
      refusals.push({ reason, failed, ticketIds, stale });
      return { verdict: 'refused' as const, reason, failedTicketIds: failed };
    },
    isDecided: async () => isDecided,
  };
  return { fillSeat: new FillSeat(pools, store, { now: () => 7 }), seats, refusals };
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

describe('ratings that changed while a ticket was seated', () => {
  /** Chosen by 25 and 26 for seats that need 25.5 each. */
  const fit = { pool: 'ladder', probed: [] as string[], level: 25.5, gap: 4 };

  it('refuse the seats if the rules do not allow the teams with them; the ticket waits with the new ratings', async () => {
    const { fillSeat, seats, refusals } = setUp({ outcome: 'filled' }, { ann: 40, ben: 26 });
    expect(await fillSeat.run({ ...job, fit })).toBe('refused');
    expect(seats).toEqual([]);
    expect(refusals).toMatchObject([
      { failed: [], ticketIds: ['tkt_1'], stale: true, reason: [{ code: 'seat.ratings-changed' }, {}] },
    ]);
  });

  it('are those of the team where the rules allow it; a newcomer keeps the level of the probe', async () => {
    const { fillSeat, seats } = setUp({ outcome: 'filled' }, { ann: 28, ben: 40 });
    expect(await fillSeat.run({ ...job, fit: { ...fit, probed: ['ben'] } })).toBe('filled');
    expect(seats[0]?.players).toMatchObject([
      { playerId: 'ann', mu: 28, sigma: 1 },
      { playerId: 'ben', mu: 26 },
    ]);
  });

  it.each([
    ['no limit', { ...fit, gap: null }],
    ['no other team', { ...fit, level: null }],
  ])('make no difference with %s', async (_what, given) => {
    const { fillSeat } = setUp({ outcome: 'filled' }, { ann: 99 });
    expect(await fillSeat.run({ ...job, fit: given })).toBe('filled');
  });

  it('are waited for, unless the claim is decided', async () => {
    const waiting = setUp({ outcome: 'filled' }, null);
    await expect(waiting.fillSeat.run({ ...job, fit })).rejects.toBeInstanceOf(RatingUnavailable);
    expect(await setUp({ outcome: 'filled' }, null, true).fillSeat.run({ ...job, fit })).toBe(
      'decided before',
    );
  });
});
