import { BackfillUpdate, jobQueues } from '@muster/contracts';
import { Every, OnJob } from '@muster/platform';
import { RedisTicketStore } from '../core/ticket.store.js';
import { Inject, Injectable } from '@nestjs/common';
import { ReadyChecks } from './ready-checks.js';
import { SettleProposals } from './settle-proposals.js';

/** Interval of the search for overdue ready checks, in milliseconds. */
const readyChecksMs = 500;
/** Interval of the search for proposals whose lease expired, in milliseconds. */
const settleMs = 1_000;

/** Opens and closes backfills, ends ready checks, and settles proposals of processes that died. */
@Injectable()
export class MatchingProcessor {
  constructor(
    @Inject(RedisTicketStore) private readonly store: RedisTicketStore,
    @Inject(ReadyChecks) private readonly readyChecks: ReadyChecks,
    @Inject(SettleProposals) private readonly settler: SettleProposals,
  ) {}

  @OnJob(jobQueues.backfills, BackfillUpdate, { concurrency: 4 })
  backfill(update: BackfillUpdate): Promise<void> {
    return update.kind === 'wanted'
      ? this.store.openBackfill(update)
      : this.store.closeBackfill(update.queue, update.backfillId);
  }

  @Every('ready checks', readyChecksMs, { whileSound: true })
  endReadyChecks(): Promise<boolean> {
    return this.readyChecks.sweep();
  }

  @Every('proposal reconciler', settleMs, { whileSound: true })
  async settleProposals(): Promise<boolean> {
    return (await this.settler.run()) > 0;
  }
}
