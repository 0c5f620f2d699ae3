import { Every, LOG, SharedClock, type Log } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { Hearing } from './hearing.js';

/** How often expired rows are looked for, and how many rows of a kind go in one transaction. */
const forgetEveryMs = 60_000;
const forgottenAtOnce = 500;

/** What the fleet does by itself: signs of life between replicas, and retention. */
@Injectable()
export class FleetLoops implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(Hearing) private readonly hearing: Hearing,
    @Inject(PostgresPlacementStore) private readonly store: PostgresPlacementStore,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(ALLOCATOR_SETTINGS) private readonly settings: AllocatorSettings,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.wakeUps
      .start()
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'notifications are unavailable; long polls read the database'),
      );
  }

  /** A loop of its own: a long sweep of placements is no break. */
  @Every<AllocatorSettings>('hearing', ({ SILENCE_MS }) => Math.min(500, SILENCE_MS / 12))
  tell(): Promise<void> {
    return this.hearing.tell();
  }

  @Every('retention', forgetEveryMs)
  forget(): Promise<boolean> {
    const now = this.clock.now();
    const { SERVER_RETENTION_HOURS, RETENTION_DAYS } = this.settings;
    const before = {
      servers: now - SERVER_RETENTION_HOURS * 3_600_000,
      sessions: now - RETENTION_DAYS * 86_400_000,
    };
    return this.store.forget(before, forgottenAtOnce);
  }

  /** When this fails, the other replicas wait for this one until it counts as gone. */
  async onModuleDestroy(): Promise<void> {
    await this.hearing
      .stop()
      .catch((error: unknown) => this.log.warn({ err: error }, 'other replicas were not notified'));
  }
}
