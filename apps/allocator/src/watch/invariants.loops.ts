import { Every, LOG, Metrics, type Log, type Samples } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresInvariants } from './invariants.store.js';

/** How often the stores are asked, in milliseconds. */
const everyMs = 60_000;

/** Asks the database whether invariants hold, and exports the answer. */
@Injectable()
export class InvariantLoops {
  private samples: Samples = {};

  constructor(
    @Inject(PostgresInvariants) private readonly invariants: PostgresInvariants,
    @Inject(LOG) private readonly log: Log,
    @Inject(Metrics) metrics: Metrics,
  ) {
    metrics.add({ name: 'invariants', asksStore: false, read: async () => this.samples });
  }

  @Every('invariants', everyMs)
  async sweep(): Promise<void> {
    const found = Object.entries(await this.invariants.violations());
    this.samples = {
      invariantViolations: found.map(([invariant, value]) => ({ labels: { invariant }, value })),
    };
    for (const [invariant, count] of found)
      if (count > 0) this.log.error({ invariant, count }, 'an invariant does not hold');
  }
}
