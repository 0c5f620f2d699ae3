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
import { SignIns } from './sign-ins.js';
import { PostgresSignIns } from './sign-ins.store.js';

/** Makes a key of 256 random bits. */
function makeKey(): { key: string; hash: string } {
  const key = `${keyPrefix}${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashOfKey(key) };
}

/** Codes of 256 random bits, hashed as keys are. */
const codes = {
  make(): { code: string; hash: string } {
    const code = randomBytes(32).toString('base64url');
    return { code, hash: hashOfKey(code) };
  },
  hashOf: hashOfKey,
};

/** Admins give operators keys, and see what they did. */
@Module({
  controllers: [OperatorsController],
  providers: [
    OperatorLoops,
    construct(PostgresKeyAdministration, [DB]),
    construct(PostgresSignIns, [DB]),
    construct(PostgresAudit, [DB]),
    construct(AuditLog, [PostgresAudit]),
    {
      provide: KeyAdministration,
      inject: [PostgresKeyAdministration, SharedClock, IDS],
      useFactory: (store: PostgresKeyAdministration, clock: SharedClock, ids: Ids) =>
        new KeyAdministration(store, clock, ids, { make: makeKey }),
    },
    {
      provide: SignIns,
      inject: [PostgresSignIns, SharedClock, IDS],
      useFactory: (store: PostgresSignIns, clock: SharedClock, ids: Ids) =>
        new SignIns(store, clock, ids, codes, { make: makeKey }),
    },
  ],
})
export class OperatorsModule {}
