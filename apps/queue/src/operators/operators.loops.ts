import { Every, SharedClock } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { PostgresAudit } from './audit.store.js';
import { PostgresKeyAdministration } from './operator-keys.store.js';
import { PostgresSignIns } from './sign-ins.store.js';

const dayMs = 86_400_000;
const retentionEveryMs = 60_000;
const retentionBatch = 1_000;
const endedKeyMs = 90 * dayMs;
/** Sessions are many, and the audit log has what was done with them. */
const endedSessionMs = dayMs;

/** Deletes old rows of the audit log, keys that ended long ago, and codes that have expired. */
@Injectable()
export class OperatorLoops {
  constructor(
    @Inject(PostgresAudit) private readonly audit: Pick<PostgresAudit, 'forget'>,
    @Inject(PostgresKeyAdministration) private readonly keys: Pick<PostgresKeyAdministration, 'deleteEnded'>,
    @Inject(PostgresSignIns) private readonly signIns: Pick<PostgresSignIns, 'deleteExpired'>,
    @Inject(QUEUE_SETTINGS) private readonly settings: Pick<QueueSettings, 'AUDIT_RETENTION_DAYS'>,
    @Inject(SharedClock) private readonly clock: Pick<SharedClock, 'now'>,
  ) {}

  @Every('retention', retentionEveryMs, { whileSound: true })
  async forget(): Promise<boolean> {
    const now = this.clock.now();
    await this.keys.deleteEnded(now - endedKeyMs, now - endedSessionMs);
    await this.signIns.deleteExpired(now);
    return this.audit.forget(now - this.settings.AUDIT_RETENTION_DAYS * dayMs, retentionBatch);
  }
}
