import type { MatchSteps, Traces } from '@muster/contracts';
import {
  auditHook,
  checkMigrated,
  createDb,
  databaseTime,
  forReads,
  PostgresOperatorKeys,
  PostgresOutbox,
  ReadReplica,
  readsOf,
  serviceLimits,
  withAuthority,
  type Db,
  type Reads,
  type RoleService,
} from '@muster/db';
import {
  connectRedis,
  readRedisTarget,
  Replicas,
  type RedisConnection,
  type RedisTarget,
  type ReplicatedConnection,
  type Replication,
} from '@muster/redis';
import type { DynamicModule, FactoryProvider, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { Background } from './background.js';
import type { ServiceSettings } from '../core/config.js';
import { Connections } from '../core/connections.js';
import type { Token } from '../core/construct.js';
import { ids } from '../core/ids.js';
import {
  AFTER_COMMIT,
  DB,
  IDS,
  LOG,
  MATCH_STEPS,
  METER,
  READS,
  REDIS,
  SETTINGS,
  TRACES,
} from '../core/injection.js';
import { DeadLetters } from '../jobs/dead-letters.js';
import { JobSender } from '../jobs/job-sender.js';
import { Metrics } from '../metrics/metrics.js';
import { MetricsController } from '../metrics/metrics.controller.js';
import {
  databaseSource,
  jobsSource,
  loopsSource,
  openCallsSource,
  outboxSource,
  redisSource,
} from '../metrics/platform-sources.js';
import { OutboxRelay } from '../jobs/outbox-relay.js';
import type { Log } from '../core/logging.js';
import { Admission, admissionRules } from '../http/admission.js';
import type { OperatorSignIn } from '../auth/callers.js';
import { OperatorKeys } from '../auth/operator-keys.js';
import { OPERATOR_SIGN_IN, operatorTokens } from './operator-sign-in.js';
import { playerLogins } from './player-sign-in.js';
import { Logins } from '../logins/logins.js';
import { AuditRecorder } from '../http/audit.interceptor.js';
import { OpenCalls } from '../http/open-calls.js';
import { RpcStatusFilter } from '../rpc/rpc-status.js';
import { measuredWire } from '../rpc/measured-wire.js';
import { RPC } from '../rpc/rpc-wire.js';
import { fleetSignIn } from './fleet-sign-in.provider.js';
import { limits } from './limits.provider.js';
import { Dependencies, Draining, HealthController } from './readiness.js';
import type { ServiceDefinition, Surroundings } from './service.js';
import { SharedClock, type TimeSource } from '../loops/shared-clock.js';
import { SentJobs } from '../jobs/sent-jobs.js';
import { Starting } from './starting.js';
import { jobsWithTraces, MatchTraces } from '../traces/match-traces.js';
import { CoordinatorTokens } from '../auth/tokens.js';
import { ErrorLog } from '../core/error-log.js';
import { CallerAddresses } from '../limits/caller-address.js';

/** What the platform needs to know of a service. */
type Service = Pick<ServiceDefinition<ServiceSettings>, 'name' | 'outbox' | 'time' | 'postgres'>;

class PlatformModule {}

/**
 * The global module of a service, visible to every feature module: settings, log, stores, jobs, clock, tokens and health.
 */
export function platformModule(
  service: Service,
  settings: ServiceSettings,
  surroundings: Surroundings,
): DynamicModule {
  surroundings.metrics.begin(service.name);
  surroundings.metrics.add(loopsSource);
  const providers = [...values(service, settings, surroundings), ...stores(service, settings, surroundings)];
  return {
    module: PlatformModule,
    global: true,
    imports: [DiscoveryModule],
    controllers: [HealthController, MetricsController],
    providers: [...providers, Background],
    exports: [Background, ...providers],
  };
}

function values(
  { name }: Service,
  settings: ServiceSettings,
  { log, starting, metrics, wire, traces }: Surroundings,
): Provider[] {
  const errors = new ErrorLog(log);
  const own = new CoordinatorTokens(settings.COORDINATOR_KEY);
  const logins = playerLogins(settings, own, {
    elapsed: () => performance.now(),
    onError: (login, error) => errors.report(`keys of the login ${login}`, error),
  });
  return [
    { provide: SETTINGS, useValue: settings },
    { provide: REDIS, useValue: readRedisTarget(settings) },
    { provide: LOG, useValue: log },
    { provide: IDS, useValue: ids },
    { provide: CoordinatorTokens, useValue: own },
    { provide: Logins, useValue: logins },
    { provide: Starting, useValue: starting },
    { provide: Metrics, useValue: metrics },
    { provide: METER, useValue: metrics },
    { provide: TRACES, useValue: traces },
    { provide: RPC, useValue: measuredWire(wire, metrics) },
    { provide: ErrorLog, useValue: errors },
    {
      provide: OpenCalls,
      inject: [CallerAddresses],
      useFactory: (addresses: CallerAddresses) => {
        const { OPEN_CALLS_PER_CALLER: perCaller, OPEN_CALLS: perProcess } = settings;
        const most = { perCaller, perProcess, perAddress: settings.OPEN_CALLS_PER_ADDRESS };
        const calls = new OpenCalls(most, addresses);
        metrics.add(openCallsSource(name, calls));
        return calls;
      },
    },
    { provide: Admission, useFactory: () => new Admission(admissionRules(settings.ADMISSION_DELAY_MS)) },
    ...limits(settings, metrics),
    RpcStatusFilter,
    Connections,
    Dependencies,
    Draining,
  ];
}

function stores(
  { name, outbox, time, postgres = 'needed' }: Service,
  settings: ServiceSettings,
  { log, starting, metrics, traces }: Surroundings,
): Provider[] {
  return [
    {
      provide: DB,
      inject: [Connections, Dependencies],
      useFactory: async (connections: Connections, dependencies: Dependencies): Promise<Db> => {
        const db = openDb({ name, settings, log });
        connections.add(() => db.$disconnect());
        metrics.add(databaseSource(name, db));
        metrics.add(redisSource);
        dependencies.add(postgres, { name: 'postgres', check: () => db.$sql.$queryRaw`SELECT 1` });
        await starting.until('PostgreSQL', () => checkMigrated(db));
        return db;
      },
    },
    reads({ name, settings, log }),
    ...operators({ name, settings, log }),
    matchSteps(traces, outbox !== undefined),
    {
      provide: JobSender,
      inject: [Connections, REDIS],
      useFactory: async (connections: Connections, target: RedisTarget): Promise<JobSender> => {
        const sender = new JobSender(target, settings.REALM, log, replicationOf(settings));
        connections.add(() => sender.close());
        await starting.until('Redis', () => sender.ready());
        return sender;
      },
    },
    {
      provide: SharedClock,
      inject: [DB, JobSender],
      useFactory: async (db: Db, sender: JobSender): Promise<SharedClock> => {
        const database: TimeSource = { name: 'Postgres', read: () => databaseTime(db) };
        const redis: TimeSource = { name: 'Redis', read: () => sender.time() };
        const clock = new SharedClock(
          time === 'Redis' ? [redis, database] : [database, redis],
          settings.CLOCK_SKEW_MS,
        );
        await clock.measure();
        return clock;
      },
    },
    {
      provide: OutboxRelay,
      inject: [DB, JobSender],
      useFactory: (db: Db, sender: JobSender) => {
        const [owner, store] = [outbox ?? null, new PostgresOutbox(db, traces ? jobsWithTraces : null)];
        if (outbox !== undefined) metrics.add(outboxSource(outbox, store));
        return new OutboxRelay(owner, store, sender, log, { sent: new SentJobs(owner, store, sender, log) });
      },
    },
    { provide: AFTER_COMMIT, inject: [OutboxRelay], useFactory: (relay: OutboxRelay) => relay.kick },
    deadLetters(metrics),
  ];
}

/** How operators and fleets authenticate, and the log of operators' changes. */
function operators({ name, settings, log }: Parameters<typeof openDb>[0]): Provider[] {
  return [
    {
      provide: OPERATOR_SIGN_IN,
      inject: [DB, ErrorLog],
      useFactory: (db: Db, errors: ErrorLog): OperatorSignIn => ({
        keys: new OperatorKeys(
          new PostgresOperatorKeys(db),
          () => performance.now(),
          errors.of('operator keys'),
        ),
        tokens: operatorTokens(settings, errors.of('the identity provider of operators')),
      }),
    },
    fleetSignIn(settings),
    {
      provide: AuditRecorder,
      inject: [DB],
      useFactory: (db: Db) => new AuditRecorder(name, db, ids, log),
    },
  ];
}

/** Steps of matches in their traces, for services that send jobs about matches. */
const matchSteps = (traces: Traces | null, hasOutbox: boolean): FactoryProvider<MatchSteps | null> => ({
  provide: MATCH_STEPS,
  inject: [DB, ErrorLog],
  useFactory: (db: Db, errors: ErrorLog) =>
    traces && hasOutbox ? new MatchTraces(traces, db, errors) : null,
});

/** Dead letters, and how many jobs wait. */
function deadLetters(metrics: Metrics): FactoryProvider<DeadLetters> {
  return {
    provide: DeadLetters,
    inject: [JobSender, SharedClock],
    useFactory: (sender: JobSender, clock: SharedClock) => {
      const letters = sender.deadLetters();
      metrics.add(jobsSource(letters, clock.now));
      return letters;
    },
  };
}

/** Histories and exports, from the read replica if there is one. */
function reads(options: Parameters<typeof openDb>[0]): FactoryProvider<Reads> {
  return {
    provide: READS,
    inject: [DB, Connections, Dependencies],
    useFactory: (db: Db, connections: Connections, dependencies: Dependencies) => {
      const { DATABASE_READ_URL: url, DATABASE_READ_LAG_MS: maxLagMs } = options.settings;
      if (url === undefined) return readsOf(db);
      const replica = openDb(options, { use: 'read', url: forReads(url) });
      connections.add(() => replica.$disconnect());
      dependencies.add('helpful', {
        name: 'postgres-replica',
        check: () => replica.$sql.$queryRaw`SELECT 1`,
      });
      return new ReadReplica(db, replica, {
        maxLagMs,
        elapsed: () => performance.now(),
        after: (ms) => sleep(ms, undefined, { ref: false }),
        notice: (message) => options.log.warn(message),
      });
    },
  };
}

/** Opens a service's connection pool by its settings, with the rights of the service's role. */
export function openDb(
  {
    name,
    settings,
    log,
  }: { readonly name: RoleService; readonly settings: ServiceSettings; readonly log: Log },
  more: {
    readonly use?: string;
    readonly url?: string;
    readonly maxConnections?: number;
    readonly statementMs?: number;
  } = {},
): Db {
  const { use, maxConnections = settings.DATABASE_POOL, statementMs = serviceLimits.statementMs } = more;
  const { url = settings.DATABASE_URL } = more;
  return createDb(withAuthority(url, settings.DATABASE_CA), {
    maxConnections,
    prepare: settings.DATABASE_PREPARE,
    limits: settings.DATABASE_LIMITS ? { ...serviceLimits, statementMs } : undefined,
    // A replica takes no rows.
    ...(use === 'read' ? {} : { hook: auditHook }),
    applicationName: ['muster', name, ...(use === undefined ? [] : [use])].join('-'),
    role: { service: name, mode: settings.DATABASE_ROLE, warn: (message) => log.warn(message) },
  });
}

/** How many replicas must hold what a caller is told. */
const replicationOf = ({ REDIS_WAIT_REPLICAS, REDIS_WAIT_MS }: ServiceSettings): Replication => ({
  replicas: REDIS_WAIT_REPLICAS,
  withinMs: REDIS_WAIT_MS,
});

/** Provides a named Redis connection. */
export function redisConnection(
  provide: Token<RedisConnection>,
  options: {
    readonly name: string;
    readonly what: string;
    readonly blocking?: boolean;
    readonly silentMs?: number;
  },
): FactoryProvider<RedisConnection> {
  return {
    provide,
    inject: [REDIS, Connections, ErrorLog],
    useFactory: (target: RedisTarget, connections: Connections, errorLog: ErrorLog) => {
      const { what, ...connection } = options;
      const redis = connectRedis(target, { ...connection, onError: errorLog.of(what) });
      connections.add(() => redis.disconnect());
      return redis;
    },
  };
}

/** Provides a connection for writes that replicas must hold; null if the settings require none. */
export function replicatedConnection(
  provide: Token<ReplicatedConnection | null>,
  options: {
    readonly name: string;
    readonly what: string;
    /** A key with the hash tag of all keys that are written. */
    readonly root: (settings: ServiceSettings) => string;
  },
): FactoryProvider<ReplicatedConnection | null> {
  return {
    provide,
    inject: [SETTINGS, REDIS, Connections, ErrorLog],
    useFactory: (
      settings: ServiceSettings,
      target: RedisTarget,
      connections: Connections,
      errorLog: ErrorLog,
    ) => {
      const replication = replicationOf(settings);
      if (replication.replicas === 0) return null;
      const redis = connectRedis(target, {
        name: options.name,
        commandTimeoutMs: 5_000 + replication.withinMs,
        onError: errorLog.of(options.what),
      });
      connections.add(() => redis.disconnect());
      return { redis, replicas: new Replicas(redis, options.root(settings), replication) };
    },
  };
}
