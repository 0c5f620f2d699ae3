export type { EmbeddedOptions } from './embedded-options.js';
export { freePort } from './free-port.js';
export type { ManagedProcess } from './managed-process.js';
export { embeddedPostgres, type EmbeddedPostgres } from './postgres.js';
export { embeddedRedis, type EmbeddedRedis } from './redis.js';
export type { RedisEngine } from './redis-engine.js';
