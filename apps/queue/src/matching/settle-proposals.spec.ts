import { message, verbatim, type OverdueProposal } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { SettleProposals } from './settle-proposals.js';

const seat = (n: number): OverdueProposal => ({
  matchId: `proposal-${n}`,
  job: JSON.stringify({
    proposalId: `proposal-${n}`,
    backfillId: 'b',
    matchId: 'm',
    ticketId: `t${n}`,
    team: 0,
    players: [],
    waitedMs: 0,
  }),
});

describe('proposals whose lease expired', () => {
  it('are settled independently: one that this version cannot read delays no other', async () => {
    const released: [readonly string[], string][] = [];
    const settler = new SettleProposals(
      {
        overdueProposals: async () => [{ matchId: 'newer', job: '{"kind":"sung"}' }, seat(1), seat(2)],
        release: async (_matchId: string, ticketIds: readonly string[], _failed: unknown, reason: string) => {
          released.push([ticketIds, reason]);
        },
      } as never,
      {
        settleProposal: async (matchId: string) => ({
          verdict: 'refused',
          reason: 'It fell apart.',
          failedTicketIds: matchId === 'proposal-2' ? ['t2'] : [],
        }),
      },
      { now: () => 0 },
      { PROPOSAL_LEASE_MS: 8_000 },
    );

    await expect(settler.run()).rejects.toThrow('1 of 3 were not settled');
    expect(released).toEqual([
      [['t1'], [verbatim('It fell apart.'), message('ticket.back-in-queue')]],
      [['t2'], 'It fell apart.'],
    ]);
  });
});
