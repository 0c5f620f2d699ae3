import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PostgresFleetKeys } from '../enrolment/fleet-keys.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { Fleet } from './fleet.js';
import { FleetRetention } from './retention.store.js';

/** How often expired rows are deleted, and how many rows of a kind one transaction deletes. */
const retentionEveryMs = 60_000;
const retentionBatch = 500;
/** How often servers are looked for that ended with their key, and how many of them one turn removes. */
const endedEveryMs = 500;
const endedBatch = 100;
/** How long ended fleet keys and removed servers are remembered; tokens of release 0.2 had no end. */
const keysMs = 90 * 86_400_000;
const removedMs = 30 * 86_400_000;

/** Deletes what is past retention, and removes servers whose key was revoked with them. */
@Injectable()
export class FleetLoops {
  constructor(
    @Inject(FleetRetention) private readonly retention: FleetRetention,
    @Inject(PostgresFleetKeys) private readonly keys: PostgresFleetKeys,
    @Inject(Fleet) private readonly fleet: Fleet,
    @Inject(SharedClock) private readonly clock: SharedClock,
    @Inject(ALLOCATOR_SETTINGS) private readonly settings: AllocatorSettings,
  ) {}

  @Every('servers of revoked keys', endedEveryMs)
  async endServers(): Promise<boolean> {
    const ended = await this.keys.endedServers(endedBatch);
    for (const serverId of ended) await this.fleet.leave(serverId);
    return ended.length === endedBatch;
  }

  @Every('retention', retentionEveryMs)
  async forget(): Promise<boolean> {
    const now = this.clock.now();
    await this.keys.deleteEnded(now - keysMs, now - removedMs);
    const { SERVER_RETENTION_HOURS, RETENTION_DAYS } = this.settings;
    const before = {
      servers: now - SERVER_RETENTION_HOURS * 3_600_000,
      sessions: now - RETENTION_DAYS * 86_400_000,
    };
    return this.retention.forget(before, retentionBatch);
  }
}
