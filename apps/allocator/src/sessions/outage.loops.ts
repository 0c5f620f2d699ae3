import { AFTER_COMMIT, Every, LOG, Metrics, SharedClock, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresOutages } from './outages.store.js';

/** How often matches that were over lately are examined, in milliseconds. */
const examineMs = 15_000;

/** Lifts the penalties of matches that had an outage, and tells operators. */
@Injectable()
export class OutageLoops {
  private lifted = 0;

  constructor(
    @Inject(PostgresOutages) private readonly outages: PostgresOutages,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(AFTER_COMMIT) private readonly afterCommit: () => void,
    @Inject(LOG) private readonly log: Log,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const labels = { muster_service: 'allocator' };
    const read = async () => ({ outageMatches: [{ labels, value: this.lifted }] });
    metrics.add({ name: 'outages', asksStore: false, read });
  }

  @Every('outages', examineMs, { whileSound: true })
  async examine(): Promise<void> {
    const outages = await this.outages.lift(this.clock.now());
    if (outages.length > 0) this.afterCommit();
    for (const { scope, name, matchIds, why } of outages) {
      this.lifted += matchIds.length;
      this.log.warn(
        { scope, name, matches: matchIds, counts: why.params },
        'players of most matches were blamed, which looks like an outage: their penalties are lifted; an operator may impose them',
      );
    }
  }
}
