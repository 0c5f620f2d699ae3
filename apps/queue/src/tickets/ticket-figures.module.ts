import { ageSeconds, Metrics, SharedClock, type Samples } from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { Inject, Module } from '@nestjs/common';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { StoresModule, TICKETS_REDIS } from '../stores.module.js';
import { RedisWaitingDepth } from './waiting-depth.store.js';

/** Exports how many tickets of each queue wait, and for how long. */
@Module({
  imports: [StoresModule, RulesInForceModule],
  providers: [
    {
      provide: RedisWaitingDepth,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS],
      useFactory: (redis: RedisConnection, { REALM }: QueueSettings) =>
        new RedisWaitingDepth(redis, realmRoot(REALM)),
    },
  ],
})
export class TicketFiguresModule {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(RedisWaitingDepth) private readonly depth: RedisWaitingDepth,
    @Inject(Queues) private readonly queues: Queues,
    @Inject(SharedClock) private readonly clock: SharedClock,
  ) {
    metrics.add({ name: 'tickets', asksStore: true, read: () => this.read() });
  }

  private async read(): Promise<Samples> {
    const depths = await Promise.all(
      this.queues.all.map(async ({ name }) => ({ queue: name, ...(await this.depth.of(name)) })),
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
