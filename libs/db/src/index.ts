export { BadAddress, forReads, readAddress, withAuthority, type DatabaseAddress } from './servers/address.js';
export { BatchedTransactions, type BatchedStep } from './batched-transactions.js';
export * from './client.js';
export { dumpDatabase, NothingToDump, type Dumped } from './copies/dump.js';
export { mayBeItemsFault } from './items-fault.js';
export { asBelief } from './json.js';
export type { Sequence, Table } from './copies/layout.js';
export { loadDatabase, migrationsOf, NotLoadable } from './copies/load.js';
export * from './migrations/migrate.js';
export { checkMigrated } from './migrations/migrated.js';
export { NotMigrated } from './not-migrated.js';
export {
  apartFromCall,
  audited,
  auditHook,
  isAudited,
  type AuditedCall,
  type Told,
} from './operators/audit.js';
export { PostgresOperatorKeys, type ValidKey } from './operators/operator-keys.js';
export { PostgresEnrolment, type KnownFleetKey, type RevokedServer } from './operators/enrolment.js';
export { enqueueAfterCommit, outboxJson, PostgresOutbox, type OutboxOwner } from './outbox.js';
export { processTime } from './process-time.js';
export { ReadReplica, readsOf, type Reads, type ReplicaOptions } from './read-replica.js';
export { roleFlaws, RoleRefused, roleOf, roleServices, type DbRole, type RoleService } from './roles.js';
export { NoServer, ReadOnlyServer } from './servers/servers.js';
export type { Sql } from './sql.js';
export { joinParts, SqlPart, sqlPart, verbatim } from './sql-part.js';
export { RetriesUsedUp, type RetryOptions, transact } from './transaction.js';
export * from './identity.js';
