import type { Db } from '@muster/db';
import { ageSeconds, DB, Metrics, SharedClock, type Samples } from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { SlotWalk } from './slot-walk.js';
import { oldestHeartbeat, slotPage } from './figures.store.js';
import { SlotsRpc } from './slots.rpc.js';

/** Exports the slots of each region, and the silence of servers. */
@Module({
  controllers: [SlotsRpc],
  providers: [
    {
      provide: SlotWalk,
      inject: [DB],
      useFactory: (db: Db) => new SlotWalk((after, limit) => slotPage(db, after, limit)),
    },
  ],
})
export class SlotFiguresModule {
  constructor(
    @Inject(Metrics) metrics: Metrics,
    @Inject(SlotWalk) private readonly walk: SlotWalk,
    @Inject(DB) db: Db,
    @Inject(SharedClock) clock: SharedClock,
  ) {
    metrics.add({ name: 'slots', asksStore: true, read: () => this.read() });
    const labels = { muster_service: 'allocator' };
    const heartbeats = async (): Promise<Samples> => {
      const at = await oldestHeartbeat(db);
      return { oldestHeartbeat: [{ labels, value: at === null ? 0 : ageSeconds(clock.now(), at) }] };
    };
    metrics.add({ name: 'heartbeats', asksStore: true, read: heartbeats });
  }

  private async read(): Promise<Samples> {
    const regions = (await this.walk.next()) ?? [];
    return {
      slots: regions.flatMap(({ region, used, free, draining }) => [
        { labels: { region, state: 'used' }, value: used },
        { labels: { region, state: 'free' }, value: free },
        { labels: { region, state: 'draining' }, value: draining },
      ]),
    };
  }
}
