import { readProposalJob } from '@muster/contracts';
import type { Clock, ProposalVerdict, TicketStore } from '@muster/domain';

/** Asks assignment for its verdict on a proposal. An undecided one is refused by asking. */
export interface Verdicts {
  settle(matchId: string): Promise<ProposalVerdict>;
}

/**
 * Repairs proposals whose lease ran out (the matcher or a worker died between two steps): one whose match exists goes
 * forward, any other goes back to the queue at its old place. Assignment's verdict is final, so neither can be undone later.
 */
export class SettleProposals {
  constructor(
    private readonly store: TicketStore,
    private readonly verdicts: Verdicts,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {}

  /** @returns how many proposals were settled */
  async run(): Promise<number> {
    const limit = 100;
    const overdue = await this.store.overdueProposals(this.clock.now(), this.leaseMs, limit);
    for (const { matchId, job } of overdue) {
      const { ticketIds } = readProposalJob(job);
      const { verdict, reason, failedTicketIds } = await this.verdicts.settle(matchId);
      const now = this.clock.now();
      if (verdict === 'formed') {
        await this.store.confirm(matchId, ticketIds, 'Your teams are made; a server is being found.', now);
      } else {
        const words = reason ?? 'The match fell apart';
        await this.store.release(
          matchId,
          ticketIds,
          failedTicketIds,
          `${words} You are back at your old place in the queue.`,
          now,
        );
      }
    }
    return overdue.length;
  }
}
