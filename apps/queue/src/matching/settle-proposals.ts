import { readProposalJob } from '@muster/contracts';
import {
  message,
  saidWith,
  type Clock,
  type OverdueProposal,
  type ProposalVerdict,
  type TicketStore,
} from '@muster/domain';

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
    const errors: unknown[] = [];
    // One that cannot be settled, or not be read by this version, is found again when its lease is over.
    for (const proposal of overdue) await this.settle(proposal).catch((error: unknown) => errors.push(error));
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
    const words = isAnyBack ? saidWith(why, message('ticket.back-in-queue')) : why;
    await this.store.release(matchId, ticketIds, failedTicketIds, words, now);
  }
}
