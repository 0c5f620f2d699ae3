import type { Ids } from '@muster/domain';
import { construct, DB, hashOfKey, IDS, keyPrefix, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { AuditLog } from './audit-log.js';
import { PostgresAudit } from './audit.store.js';
import { KeyAdministration } from './operator-keys.js';
import { PostgresKeyAdministration } from './operator-keys.store.js';
import { OperatorsController } from './operators.controller.js';
import { OperatorLoops } from './operators.loops.js';

/** Makes a key of 256 random bits. */
function makeKey(): { key: string; hash: string } {
  const key = `${keyPrefix}${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashOfKey(key) };
}

/** Admins give operators keys, and see what they did. */
@Module({
  controllers: [OperatorsController],
  providers: [
    OperatorLoops,
    construct(PostgresKeyAdministration, [DB]),
    construct(PostgresAudit, [DB]),
    construct(AuditLog, [PostgresAudit]),
    {
      provide: KeyAdministration,
      inject: [PostgresKeyAdministration, SharedClock, IDS],
      useFactory: (store: PostgresKeyAdministration, clock: SharedClock, ids: Ids) =>
        new KeyAdministration(store, clock, ids, { make: makeKey }),
    },
  ],
})
export class OperatorsModule {}
