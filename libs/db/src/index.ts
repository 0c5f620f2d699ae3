export { Batcher, mayBeItemsFault } from './batcher.js';
export * from './client.js';
export { Prisma } from './generated/client.js';
export { asBelief, asJson } from './json.js';
export * from './migrate.js';
export { checkMigrated, NotMigrated } from './migrated.js';
export { enqueueAfterCommit, outboxJson, PostgresOutbox, type OutboxOwner } from './outbox.js';
export { roleOf, roleServices, type DbRole, type RoleService } from './roles.js';
export { atomically, RetriesUsedUp, type Retrying, transactionLimits, type Tx } from './transaction.js';
