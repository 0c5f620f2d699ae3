import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { PostgresBans } from './ban.store.js';
import { Behaviour } from './behaviour.js';
import { Penalties } from './penalties.js';
import { PostgresStandingRetention } from './standing-retention.store.js';

const retentionEveryMs = 60_000;
const retentionBatch = 500;

/** Deletes old penalties and reports, and bans that are over. */
@Injectable()
export class StandingLoops {
  constructor(
    @Inject(PostgresStandingRetention) private readonly store: PostgresStandingRetention,
    @Inject(PostgresBans) private readonly bans: Pick<PostgresBans, 'deleteOver'>,
    @Inject(Penalties) private readonly penalties: Pick<Penalties, 'memoryMs'>,
    @Inject(Behaviour) private readonly behaviour: Pick<Behaviour, 'memoryMs'>,
    @Inject(QUEUE_SETTINGS)
    private readonly settings: Pick<QueueSettings, 'STANDING_RETENTION_DAYS'>,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  /** Keeps what still counts, even beyond the retention. */
  @Every('retention', retentionEveryMs, { whileSound: true })
  async forget(): Promise<boolean> {
    const now = this.clock.now();
    const keptMs = this.settings.STANDING_RETENTION_DAYS * 86_400_000;
    const before = (memoryMs: number): number => now - Math.max(keptMs, memoryMs);
    const morePenalties = await this.store.deletePenalties(before(this.penalties.memoryMs), retentionBatch);
    const moreReports = await this.store.deleteReports(before(this.behaviour.memoryMs), retentionBatch);
    const moreBans = await this.bans.deleteOver(now - keptMs, retentionBatch);
    return morePenalties || moreReports || moreBans;
  }
}
