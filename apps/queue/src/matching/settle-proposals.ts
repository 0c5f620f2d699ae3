import { readProposalJob } from '@muster/contracts';
import {
  message,
  withMessages,
  type Clock,
  type OverdueProposal,
  type ProposalVerdict,
  type TicketStore,
} from '@muster/domain';

/** Proposals read per run, and those that are settled together: each asks assignment for its verdict. */
const limit = 100;
const settledAtOnce = 16;

/** Returns assignment's verdict on a proposal. Asking refuses an undecided one. */
export interface Verdicts {
  settle(matchId: string): Promise<ProposalVerdict>;
}

/**
 * Recovers proposals whose lease expired (the matcher or a worker died between two steps): tickets move on if the match
 * exists, and return to the queue with their enqueue times otherwise. Assignment's verdict is final, so neither is undone
 * later.
 */
export class SettleProposals {
  constructor(
    private readonly store: TicketStore,
    private readonly verdicts: Verdicts,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {}

  /** @returns the number of proposals settled */
  async run(): Promise<number> {
    const overdue = await this.store.overdueProposals(this.clock.now(), this.leaseMs, limit);
    const errors: unknown[] = [];
    // A proposal that cannot be settled, or cannot be read by this version, is found again when its lease expires.
    for (let from = 0; from < overdue.length; from += settledAtOnce) {
      const some = overdue.slice(from, from + settledAtOnce).map((proposal) => this.settle(proposal));
      for (const each of await Promise.allSettled(some))
        if (each.status === 'rejected') errors.push(each.reason);
    }
    const [first] = errors;
    if (errors.length > 0)
      throw new AggregateError(
        errors,
        `${errors.length} of ${overdue.length} were not settled: ${String(first)}`,
      );
    return overdue.length;
  }

  private async settle({ matchId, job }: OverdueProposal): Promise<void> {
    const { ticketIds } = readProposalJob(job);
    const { verdict, reason, failedTicketIds } = await this.verdicts.settle(matchId);
    const now = this.clock.now();
    if (verdict === 'formed') {
      await this.store.confirm(matchId, ticketIds, [message('match.formed')], now);
      return;
    }
    const why = reason ?? [message('match.fell-apart')];
    const isAnyBack = ticketIds.some((ticketId) => !failedTicketIds.includes(ticketId));
    const words = isAnyBack ? withMessages(why, message('ticket.back-in-queue')) : why;
    await this.store.release(matchId, ticketIds, failedTicketIds, words, now);
  }
}
