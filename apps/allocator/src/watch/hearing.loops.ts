import { Every, LOG, type Log } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { AllocatorSettings } from '../settings.js';
import { Hearing } from './hearing.js';

/** Renews the replica's hearing, and begins to listen for wake-ups. */
@Injectable()
export class HearingLoops implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(Hearing) private readonly hearing: Hearing,
    @Inject(WakeUps) private readonly wakeUps: WakeUps,
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
