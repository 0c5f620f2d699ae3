import type { Db } from '@muster/db';
import { ageSeconds, DB, Metrics, SharedClock, type Samples } from '@muster/platform';
import { Inject, Module } from '@nestjs/common';
import { SlotWalk } from './slot-walk.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { oldestHeartbeat, openConflicts, slotPage, unplacedMatches } from './figures.store.js';
import { SlotsRpc } from './slots.rpc.js';

/** Exports the slots of each region, the silence of servers, matches without a server, and contradictions. */
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
    @Inject(ALLOCATOR_SETTINGS) { SILENCE_MS }: AllocatorSettings,
  ) {
    metrics.add({ name: 'slots', asksStore: true, read: () => this.read() });
    const labels = { muster_service: 'allocator' };
    const heartbeats = async (): Promise<Samples> => {
      const at = await oldestHeartbeat(db);
      return {
        oldestHeartbeat: [{ labels, value: at === null ? 0 : ageSeconds(clock.now(), at) }],
        silenceLimit: [{ labels, value: SILENCE_MS / 1_000 }],
      };
    };
    metrics.add({ name: 'heartbeats', asksStore: true, read: heartbeats });
    const unplaced = async (): Promise<Samples> => {
      const all = await unplacedMatches(db);
      const at = clock.now();
      return {
        matchesUnplaced: all.map(({ queue, matches }) => ({ labels: { queue }, value: matches })),
        oldestUnplaced: all.map(({ queue, since }) => ({
          labels: { queue },
          value: ageSeconds(at, since.getTime()),
        })),
      };
    };
    metrics.add({ name: 'placements', asksStore: true, read: unplaced });
    const conflicts = async (): Promise<Samples> => ({
      conflictsOpen: [{ labels, value: await openConflicts(db) }],
    });
    metrics.add({ name: 'conflicts', asksStore: true, read: conflicts });
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
