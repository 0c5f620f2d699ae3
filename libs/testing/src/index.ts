export type { CreateStore, StoreUnderTest } from './conformance/harness.js';
export * from './generators.js';
export * from './memory-ticket-store.js';
export * from './redis-server.js';
export * from './same-behaviour.js';
export * from './ticket-commands.js';
export * from './ticket-invariants.js';
export * from './ticket-race.js';
export * from './ticket-store-conformance.js';
