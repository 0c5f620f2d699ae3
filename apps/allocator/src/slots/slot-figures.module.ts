import type { Db } from '@muster/db';
import { DB, Metrics, type Samples } from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { SlotWalk } from './slot-walk.js';
import { slotPage } from './figures.store.js';

/** Exports the slots of each region. */
@Module({
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
  ) {
    metrics.add({ name: 'slots', asksStore: true, read: () => this.read() });
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
