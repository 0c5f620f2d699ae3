import { readProposalJob } from '@muster/contracts';
import { message, withMessages, type Clock, type OverdueProposal, type TicketStore } from '@muster/domain';
import type { AssignmentClient } from '../services/assignment.client.js';
import type { QueueSettings } from '../settings.js';

/** Proposals read per run, and those that are settled together: each asks assignment for its verdict. */
const limit = 100;
const settledAtOnce = 16;

/**
 * Recovers proposals whose lease expired (the matcher or a worker died between two steps): tickets move on if the match
 * exists, and return to the queue with their enqueue times otherwise. Assignment's verdict is final, so neither is undone
 * later.
 */
export class SettleProposals {
  constructor(
    private readonly store: Pick<TicketStore, 'overdueProposals' | 'confirm' | 'release'>,
    private readonly assignment: Pick<AssignmentClient, 'settleProposal'>,
    private readonly clock: Clock,
    private readonly settings: Pick<QueueSettings, 'PROPOSAL_LEASE_MS'>,
  ) {}

  /** @returns the number of proposals settled */
  async run(): Promise<number> {
    const overdue = await this.store.overdueProposals(
      this.clock.now(),
      this.settings.PROPOSAL_LEASE_MS,
      limit,
    );
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
    const { verdict, reason, failedTicketIds } = await this.assignment.settleProposal(matchId);
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
