import { Every, LOG, SharedClock, type Log } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresRatings } from '../core/ratings.store.js';
import { IntegrityRetention } from './integrity-retention.store.js';
import { RaiseUncertainty } from './raise.store.js';
import { IntegrityWatch } from './watch.store.js';

const dayMs = 86_400_000;
/** Evidence about players and servers without a match for so long is deleted. */
const evidenceDays = 90;
/** As long as the longest time between two signals about a player, which the cases bound. */
const closedCaseDays = 365;
const retentionBatch = 500;

/** Follows the ledgers of pools for signals of integrity, and does what the rules of the pools say. */
@Injectable()
export class IntegrityLoops {
  constructor(
    @Inject(PostgresRatings) private readonly ratings: PostgresRatings,
    @Inject(IntegrityWatch) private readonly watch: IntegrityWatch,
    @Inject(RaiseUncertainty) private readonly uncertainty: RaiseUncertainty,
    @Inject(IntegrityRetention) private readonly retention: IntegrityRetention,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Every('integrity', 1_000)
  async follow(): Promise<boolean> {
    let isMore = false;
    const pools = await this.ratings.pools();
    await this.watch.leave(pools.flatMap(({ name, rules }) => (rules.integrity ? [] : [name])));
    for (const { name, rules } of pools) {
      if (!rules.integrity) continue;
      const { opened, more } = await this.watch.follow(name, this.clock.now());
      for (const { caseId, pool, signal } of opened)
        this.log.info({ caseId, pool, kind: signal.kind }, 'a case of integrity was opened');
      isMore = isMore || more;
    }
    return isMore;
  }

  @Every('uncertainty by signals', 1_000)
  raise(): Promise<boolean> {
    return this.uncertainty.next(this.clock.now());
  }

  @Every('retention of integrity', 60_000, { whileSound: true })
  async forget(): Promise<boolean> {
    const now = this.clock.now();
    const moreEvidence = await this.retention.deleteEvidence(now - evidenceDays * dayMs, retentionBatch);
    const moreHabits = await this.retention.deleteHabits(now - evidenceDays * dayMs, retentionBatch);
    const moreCases = await this.retention.deleteCases(now - closedCaseDays * dayMs, retentionBatch);
    return moreEvidence || moreHabits || moreCases;
  }
}
