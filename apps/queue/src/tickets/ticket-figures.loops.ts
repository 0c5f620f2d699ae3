import { ageSeconds, Metrics, SharedClock, type Samples } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RedisTicketStore } from '../core/ticket.store.js';
import { Queues } from '../rules/queues.js';

/** Exports how many tickets of each queue wait, and for how long. */
@Injectable()
export class TicketFigures {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(RedisTicketStore) private readonly store: RedisTicketStore,
    @Inject(Queues) private readonly queues: Queues,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {
    metrics.add({ name: 'tickets', asksStore: true, read: () => this.read() });
  }

  private async read(): Promise<Samples> {
    const depths = await Promise.all(
      this.queues.all.map(async ({ name }) => ({ queue: name, ...(await this.store.waitingDepth(name)) })),
    );
    const now = this.clock.now();
    return {
      ticketsWaiting: depths.map(({ queue, waiting }) => ({ labels: { queue }, value: waiting })),
      oldestTicket: depths.map(({ queue, oldestAt }) => ({
        labels: { queue },
        value: oldestAt === null ? 0 : ageSeconds(now, oldestAt),
      })),
    };
  }
}
