import { BackfillNews, jobQueues } from '@muster/contracts';
import { Every, OnJob } from '@muster/platform';
import { RedisTicketStore } from '../tickets/ticket.store.js';
import { Inject, Injectable } from '@nestjs/common';
import { ReadyChecks } from './ready-checks.js';
import { SettleProposals } from './settle-proposals.js';

/** How often ready checks are looked for whose time is over, in milliseconds. */
const readyChecksMs = 500;
/** How often proposals are looked for whose lease ran out, in milliseconds. */
const settleMs = 1_000;

/** Takes in which matches look for players, ends ready checks, and settles proposals that a process left behind. */
@Injectable()
export class MatchingProcessor {
  constructor(
    @Inject(RedisTicketStore) private readonly store: RedisTicketStore,
    @Inject(ReadyChecks) private readonly readyChecks: ReadyChecks,
    @Inject(SettleProposals) private readonly settler: SettleProposals,
  ) {}

  @OnJob(jobQueues.backfills, BackfillNews, { concurrency: 4 })
  backfill(news: BackfillNews): Promise<void> {
    return news.kind === 'wanted'
      ? this.store.openBackfill(news)
      : this.store.closeBackfill(news.queue, news.backfillId);
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
