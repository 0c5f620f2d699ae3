import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { PostgresAudit } from './audit.store.js';
import { PostgresKeyAdministration } from './operator-keys.store.js';

const dayMs = 86_400_000;
const retentionEveryMs = 60_000;
const retentionBatch = 1_000;
const endedKeyMs = 90 * dayMs;

/** Deletes old rows of the audit log, and keys that ended long ago. */
@Injectable()
export class OperatorLoops {
  constructor(
    @Inject(PostgresAudit) private readonly audit: Pick<PostgresAudit, 'forget'>,
    @Inject(PostgresKeyAdministration) private readonly keys: Pick<PostgresKeyAdministration, 'deleteEnded'>,
    @Inject(QUEUE_SETTINGS) private readonly settings: Pick<QueueSettings, 'AUDIT_RETENTION_DAYS'>,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Every('retention', retentionEveryMs, { whileSound: true })
  async forget(): Promise<boolean> {
    const now = this.clock.now();
    await this.keys.deleteEnded(now - endedKeyMs);
    return this.audit.forget(now - this.settings.AUDIT_RETENTION_DAYS * dayMs, retentionBatch);
  }
}
