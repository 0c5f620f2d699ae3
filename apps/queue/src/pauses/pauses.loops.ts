import { Every, Metrics } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Queues } from '../rules/queues.js';
import { Pauses } from './pauses.js';

/** Interval at which pauses are read, and waiting tickets returned, in milliseconds. */
const followMs = 1_000;

/** Follows the pauses that any replica puts in force, and exports which queues are paused. */
@Injectable()
export class PausesLoop {
  constructor(
    @Inject(Pauses) private readonly pauses: Pauses,
    @Inject(Queues) queues: Queues,
    @Inject(Metrics) metrics: Metrics,
  ) {
    const paused = () =>
      queues.all.map(({ name: queue }) => ({ labels: { queue }, value: pauses.inForce(queue) ? 1 : 0 }));
    metrics.add({ name: 'pauses', asksStore: false, read: async () => ({ queuePaused: paused() }) });
  }

  @Every('pauses', followMs)
  async follow(): Promise<void> {
    await this.pauses.refresh();
    await this.pauses.returnWaiting();
  }
}
