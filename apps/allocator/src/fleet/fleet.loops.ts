import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { FleetRetention } from './retention.store.js';

/** How often expired rows are deleted, and how many rows of a kind one transaction deletes. */
const retentionEveryMs = 60_000;
const retentionBatch = 500;

/** Deletes what is past retention. */
@Injectable()
export class FleetLoops {
  constructor(
    @Inject(FleetRetention) private readonly retention: FleetRetention,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(ALLOCATOR_SETTINGS) private readonly settings: AllocatorSettings,
  ) {}

  @Every('retention', retentionEveryMs)
  forget(): Promise<boolean> {
    const now = this.clock.now();
    const { SERVER_RETENTION_HOURS, RETENTION_DAYS } = this.settings;
    const before = {
      servers: now - SERVER_RETENTION_HOURS * 3_600_000,
      sessions: now - RETENTION_DAYS * 86_400_000,
    };
    return this.retention.forget(before, retentionBatch);
  }
}
