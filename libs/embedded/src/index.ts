export type { EmbeddedOptions } from './stores/embedded-options.js';
export { freePort } from './system/free-port.js';
export { embeddedPostgres, type EmbeddedPostgres } from './stores/postgres.js';
export { embeddedRedis, type EmbeddedRedis } from './stores/redis.js';
export type { RedisEngine } from './stores/redis-engine.js';
export type { ManagedProcess } from './supervisor/managed-process.js';
export { Supervisor } from './supervisor/supervisor.js';
export { demoProcess, type DemoLine, type DemoNews, type DemoOptions } from './system/demo.js';
export { playerToken, readKeys, type Keys } from './system/keys.js';
export { checkout, programOf } from './system/program.js';
export {
  edgeProcess,
  planReplicas,
  planSingle,
  serviceProcess,
  services,
  singleName,
  singleProcess,
  steadyPort,
  untilOk,
  type Replica,
  type ServiceName,
  type Stores,
} from './system/services.js';
