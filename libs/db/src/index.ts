export * from './calibration-store.js';
export * from './client.js';
export * from './ledger-store.js';
export * from './rebuild-store.js';
export * from './match-history.js';
export * from './match-store.js';
export * from './migrate.js';
export { PostgresOutbox, type OutboxOwner } from './outbox.js';
export * from './placement-store.js';
