import { own } from '@muster/domain';
import { z } from 'zod';
import { freePort } from './free-port.js';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import type { Keys } from './keys.js';
import { nodeOptions, programOf, singleNodeOptions } from './program.js';

export const services = ['rating', 'assignment', 'allocator', 'queue'] as const;
export type ServiceName = (typeof services)[number];

/** One replica of a service. */
export interface Replica {
  readonly name: string;
  readonly service: ServiceName;
  readonly httpPort: number;
  readonly grpcPort: number;
  /** The port of rating's line protocol, if it is on. */
  readonly tcpPort?: number;
}

export interface Stores {
  readonly redisUrl: string;
  readonly redisEngine: string;
  readonly databaseUrl: string;
  /** Whether services may start without their Postgres roles: only on an operator's database. */
  readonly databaseRole: 'auto' | 'required';
}

/** Below the range of ports for outgoing connections, so that a restarted service finds its port free. */
export async function steadyPort(taken: Set<number>): Promise<number> {
  for (;;) {
    const wanted = 20_000 + Math.floor(Math.random() * 10_000);
    if (taken.has(wanted) || (await freePort(wanted)) !== wanted) continue;
    taken.add(wanted);
    return wanted;
  }
}

/** The requested port if it is free, else another; 0 requests any. */
async function linePort(wanted: number, taken: Set<number>): Promise<number> {
  const isFree = wanted > 0 && wanted <= 65_535 && !taken.has(wanted) && (await freePort(wanted)) === wanted;
  if (!isFree) return steadyPort(taken);
  taken.add(wanted);
  return wanted;
}

/** @param tcpPort the line protocol port of rating's first replica, the others follow; undefined turns it off */
export async function planReplicas(count: number, tcpPort?: number): Promise<Replica[]> {
  const taken = new Set<number>();
  const replicas: Replica[] = [];
  for (const service of services) {
    for (let i = 1; i <= count; i++) {
      const name = count === 1 ? service : `${service}-${i}`;
      const replica = { name, service, httpPort: await steadyPort(taken), grpcPort: await steadyPort(taken) };
      const speaksLines = service === 'rating' && tcpPort !== undefined;
      replicas.push(
        speaksLines
          ? { ...replica, tcpPort: await linePort(tcpPort === 0 ? 0 : tcpPort + i - 1, taken) }
          : replica,
      );
    }
  }
  return replicas;
}

/** The addresses of a service's replicas. */
export function portsOf(
  replicas: readonly Replica[],
  service: ServiceName,
  kind: 'httpPort' | 'grpcPort',
): number[] {
  return replicas.filter((replica) => replica.service === service).map((replica) => replica[kind]);
}

/** The answer of `/health/ready` of a replica, or of one process with all services, whose only problem is its clock. */
const wrongClock = z.object({
  checks: z.union([
    z.object({ clock: z.string() }).catchall(z.literal('ok')),
    z.record(z.string(), z.string().regex(/^(ok |1 unready, clock: )/)),
  ]),
});

/** Null for a text that is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Polls `url` until it answers 200 or the signal aborts. A replica whose only problem is its clock counts as ready: it
 * leaves its work to others.
 */
export async function untilOk(url: string, signal: AbortSignal): Promise<void> {
  let last = 'no answer';
  while (!signal.aborted) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      if (response.ok) return;
      last = await response.text();
      if (wrongClock.safeParse(jsonOf(last)).success) return;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it was not ready in time (${last}).`);
}

/**
 * Environment variables of single replicas, from `MUSTER_REPLICA_ENV`: JSON such as
 * `{"allocator-1":{"FAKETIME":"+300s"}}`. Fault tests use it to give one replica a wrong clock.
 *
 * @throws Error for another form
 */
export function replicaEnv(name: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const text = env['MUSTER_REPLICA_ENV'];
  if (text === undefined || text === '') return {};
  const read = replicaEnvSchema.safeParse(jsonOf(text));
  if (!read.success)
    throw new Error(
      'MUSTER_REPLICA_ENV is JSON with variables by the name of a replica, such as {"allocator-1":{"FAKETIME":"+300s"}}.',
    );
  return own(read.data, name) ?? {};
}

const replicaEnvSchema = z.record(z.string(), z.record(z.string(), z.string()));

/** Settings that every service of the embedded run has. */
function sharedEnv(
  stores: Stores,
  keys: Keys,
  logLevel: string,
): { readonly env: Record<string, string>; readonly graceMs: number } {
  const pauseMs = process.env['DRAIN_PAUSE_MS'] || '0';
  const limitMs = process.env['DRAIN_LIMIT_MS'] || '10000';
  const env = {
    NODE_ENV: 'production',
    REDIS_URL: stores.redisUrl,
    DATABASE_URL: stores.databaseUrl,
    DATABASE_ROLE: process.env['DATABASE_ROLE'] || stores.databaseRole,
    PLAYER_JWKS: keys.playerJwks,
    COORDINATOR_KEY: keys.coordinator,
    SERVER_KEY: keys.serverKey,
    OPERATOR_KEY: keys.operatorKey,
    // Receivers of webhooks on this machine.
    WEBHOOK_NETWORKS: process.env['WEBHOOK_NETWORKS'] ?? '127.0.0.0/8,::1/128',
    // Servers on this machine.
    SERVER_LOCAL_HOSTS: process.env['SERVER_LOCAL_HOSTS'] ?? 'yes',
    LOG_LEVEL: logLevel,
    // There is no load balancer in front, so Ctrl-C need not pause.
    DRAIN_PAUSE_MS: pauseMs,
    DRAIN_LIMIT_MS: limitMs,
  };
  return { env, graceMs: Number(pauseMs) + Number(limitMs) + 2_000 };
}

/** The process of a replica. */
export function serviceProcess(
  replica: Replica,
  replicas: readonly Replica[],
  stores: Stores,
  keys: Keys,
  logLevel: string,
): ManagedProcess {
  const { env, graceMs } = sharedEnv(stores, keys, logLevel);
  const target = (service: ServiceName): string =>
    `ipv4:${portsOf(replicas, service, 'grpcPort')
      .map((port) => `127.0.0.1:${port}`)
      .join(',')}`;
  return {
    name: replica.name,
    command: process.execPath,
    // Services run as programs, not as imports.
    args: [...nodeOptions, programOf(replica.service)],
    env: {
      ...env,
      HTTP_PORT: String(replica.httpPort),
      GRPC_PORT: String(replica.grpcPort),
      ...(replica.tcpPort === undefined ? {} : { TCP_PORT: String(replica.tcpPort) }),
      RATING_GRPC: target('rating'),
      ASSIGNMENT_GRPC: target('assignment'),
      ALLOCATOR_GRPC: target('allocator'),
      // Only the edge calls, and it decides whose traces are continued.
      TRACES_TRUST_CALLERS: 'yes',
      ...replicaEnv(replica.name),
    },
    stopSignal: 'SIGTERM',
    graceMs,
    ready: (signal) => untilOk(`http://127.0.0.1:${replica.httpPort}/health/ready`, signal),
  };
}

/** The name of the process that hosts all services. */
export const singleName = 'muster';

/** The services of one process: all answer at its public port, and none has a gRPC port. */
export async function planSingle(port: number, tcpPort?: number): Promise<Replica[]> {
  const replica = { name: singleName, httpPort: port, grpcPort: 0 };
  const lines = tcpPort === undefined ? {} : { tcpPort: await linePort(tcpPort, new Set([port])) };
  return services.map((service) => ({ ...replica, service, ...(service === 'rating' ? lines : {}) }));
}

/** The process that hosts all services. @param replicas from {@link planSingle} */
export function singleProcess(
  replicas: readonly Replica[],
  stores: Stores,
  keys: Keys,
  logLevel: string,
): ManagedProcess {
  const { env, graceMs } = sharedEnv(stores, keys, logLevel);
  const [port = 0] = portsOf(replicas, 'queue', 'httpPort');
  const [tcpPort] = replicas.flatMap((replica) => replica.tcpPort ?? []);
  return {
    name: singleName,
    command: process.execPath,
    args: [...singleNodeOptions, programOf('single')],
    env: {
      ...env,
      EDGE_PORT: String(port),
      // Each thread takes some 30 MB.
      SOLVER_THREADS: process.env['SOLVER_THREADS'] || '1',
      ...(tcpPort === undefined ? {} : { TCP_PORT: String(tcpPort) }),
      ...replicaEnv(singleName),
    },
    stopSignal: 'SIGTERM',
    graceMs,
    ready: (signal) => untilOk(`http://127.0.0.1:${port}/health/ready`, signal),
  };
}

/** The process of the edge. It starts when the services are ready. */
export function edgeProcess(port: number, replicas: readonly Replica[], logLevel: string): ManagedProcess {
  const upstreams = Object.fromEntries(
    services.map((service) => [
      service,
      portsOf(replicas, service, 'httpPort').map((p) => `http://127.0.0.1:${p}`),
    ]),
  );
  return {
    name: 'edge',
    command: process.execPath,
    args: [...nodeOptions, programOf('edge')],
    env: {
      NODE_ENV: 'production',
      EDGE_PORT: String(port),
      EDGE_UPSTREAMS: JSON.stringify(upstreams),
      LOG_LEVEL: logLevel,
    },
    stopSignal: 'SIGTERM',
    ready: (signal) => untilOk(`http://127.0.0.1:${port}/health/live`, signal),
  };
}
