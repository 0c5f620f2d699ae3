import { AFTER_COMMIT, Background, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { hookOf, HostingModule } from '../hosting/hosting.module.js';
import { Hosting } from '../hosting/hosting.js';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { StoresModule } from '../stores.module.js';
import { ScaleOutLoop } from './scale-out.loops.js';
import { ScaleOut } from './scale-out.js';

/** By default, the minimum interval between requests: providers count what they were asked for, the hook does not. */
const [hostingSeconds, hookSeconds] = [5, 30];

/** Requests servers when matches find none free. Without HOSTING_FILE and SCALE_OUT_URL this feature is off. */
@Module({
  imports: [StoresModule, HostingModule],
  providers: [
    ScaleOutLoop,
    {
      provide: ScaleOut,
      inject: [PostgresPlacementStore, SharedClock, AFTER_COMMIT, ALLOCATOR_SETTINGS, Background, Hosting],
      useFactory: (
        store: PostgresPlacementStore,
        clock: SharedClock,
        afterCommit: () => void,
        settings: AllocatorSettings,
        { signal }: Background,
        hosting: Hosting | null,
      ): ScaleOut | null => {
        const scaler = hosting ?? hookOf(settings, signal);
        if (!scaler) return null;
        const everyMs = (settings.SCALE_OUT_SECONDS ?? (hosting ? hostingSeconds : hookSeconds)) * 1000;
        return new ScaleOut(store, scaler, clock, afterCommit, everyMs, settings.SCALE_OUT_BUILDS);
      },
    },
  ],
})
export class ScaleOutModule {}
