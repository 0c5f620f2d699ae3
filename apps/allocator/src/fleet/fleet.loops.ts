import { Every, LOG, SharedClock, type Log } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { Hearing } from './hearing.js';

/** How often expired rows are deleted, and how many rows of a kind one transaction deletes. */
const retentionEveryMs = 60_000;
const retentionBatch = 500;

/** Loops of the fleet: renewal of the replica's hearing, and retention. */
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
        this.log.warn({ err: error }, 'wake-ups are unavailable; long polls poll the database'),
      );
  }

  /** A separate loop: a long sweep of placements must not count as a gap. */
  @Every<AllocatorSettings>('hearing', ({ SILENCE_MS }) => Math.min(1_000, SILENCE_MS / 12))
  renewHearing(): Promise<void> {
    return this.hearing.renew();
  }

  @Every('retention', retentionEveryMs)
  forget(): Promise<boolean> {
    const now = this.clock.now();
    const { SERVER_RETENTION_HOURS, RETENTION_DAYS } = this.settings;
    const before = {
      servers: now - SERVER_RETENTION_HOURS * 3_600_000,
      sessions: now - RETENTION_DAYS * 86_400_000,
    };
    return this.store.forget(before, retentionBatch);
  }

  /** On failure the other replicas wait until this replica expires. */
  async onModuleDestroy(): Promise<void> {
    await this.hearing
      .stop()
      .catch((error: unknown) =>
        this.log.warn(
          { err: error },
          'the replica could not be deregistered; the others wait until it expires',
        ),
      );
  }
}
