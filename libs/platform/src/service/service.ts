import { corsOptions, isNewWork, problem, speakPlainly } from '@muster/contracts';
import { processTime, type OutboxOwner, type RoleService } from '@muster/db';
import type { INestApplication, LoggerService, Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { digestSignedBodies } from '../servers/body-digest.js';
import { CallerGuard } from '../auth/callers.js';
import { FleetSignIn } from '../auth/fleet-sign-in.js';
import type { z } from 'zod';
import { Background } from './background.js';
import { ErrorLog } from '../core/error-log.js';
import type { ServiceSettings } from '../core/config.js';
import { createLog, nestLog, type Log } from '../core/logging.js';
import { Admission, refusing } from '../http/admission.js';
import { answerHeaders, connectionOptions, guardRequest } from '../http/http-server.js';
import { CallLimits } from '../auth/call-limits.js';
import { Metrics } from '../metrics/metrics.js';
import { endpointAt } from '../http/endpoint-at.js';
import { measureCalls } from '../http/measured-calls.js';
import { traceCalls } from '../http/traced-calls.js';
import { NoInputGuard } from '../http/no-input.js';
import { OpenService } from './open-service.js';
import { ProblemFilter, sendProblem } from '../http/problem-filter.js';
import { platformModule } from './platform.module.js';
import { OPERATOR_SIGN_IN } from './operator-sign-in.js';
import { exitCodeOf, readSettings } from '../core/read-settings.js';
import { Dependencies, Draining } from './readiness.js';
import { grpcWire, type RpcWire } from '../rpc/rpc-wire.js';
import { tracedWire } from '../rpc/traced-wire.js';
import { SharedClock } from '../loops/shared-clock.js';
import { isTraced, openTraces, type OpenTraces } from '../traces/open-traces.js';
import { EndedWhileStarting, Starting } from './starting.js';
import { CoordinatorTokens } from '../auth/tokens.js';
import { Logins } from '../logins/logins.js';
import { Validation } from '../http/validation.js';

const unreadablePath = 'The path is invalid: an id in it is too long or not URL-encoded.';

/** A service: its settings, its feature modules and its transports. */
export interface ServiceDefinition<S extends ServiceSettings> {
  readonly name: RoleService;
  readonly settings: z.ZodType<S>;
  /** Its feature modules. */
  readonly module: Type;
  /** The owner of the jobs that the outbox relay sends; unset for a service that writes none. */
  readonly outbox?: OutboxOwner;
  /** The store that provides the time; Postgres by default. */
  readonly time?: 'Postgres' | 'Redis';
  /** Whether the service needs Postgres for all calls; `needed` by default. */
  readonly postgres?: 'needed' | 'helpful';
  /** Adds the wire to other services and other transports, before the service listens. */
  connect?(app: INestApplication, settings: S, log: Log, wire: RpcWire): void;
}

class ServiceModule {}

/** What a service finds in its process. */
export interface Surroundings {
  /** The way to other services. */
  readonly wire: RpcWire;
  readonly log: Log;
  /** The log of Nest itself. */
  readonly nest: LoggerService;
  readonly starting: Starting;
  /** The figures of the process. */
  readonly metrics: Metrics;
  /** Null where no traces are made. */
  readonly traces: OpenTraces | null;
}

/**
 * Starts a service: waits for its stores, then starts HTTP with problem documents, authentication and health, then its
 * loops and workers. On SIGTERM or SIGINT it drains: it reports "not ready", keeps answering for a pause, ends streams
 * and long polls, finishes work in progress, and exits with code 0.
 */
export async function runService<S extends ServiceSettings>(
  service: ServiceDefinition<S>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { name } = service;
  const settings = readSettings(service.settings, env);
  const log = createLog(name, settings.LOG_LEVEL, isTraced(settings));
  const traces = await openTraces(name, settings, log);
  const starting = new Starting(name, settings, log);
  const metrics = metricsOf(log);
  const wire = grpcWire({ name, settings, meter: metrics, log, traces });
  const open = await untilEnded(log, () =>
    openService(service, settings, {
      wire: traces ? tracedWire(wire, traces) : wire,
      log,
      nest: nestLog(log),
      starting,
      metrics,
      traces,
    }),
  );
  await open.listen();
  open.start();
  log.info({ url: await open.url() }, `${name} is up`);
  endOnSignal(name, settings, log, {
    drain: () => open.drain(),
    end: async () => {
      await open.finish();
      await open.close();
    },
  });
}

/** The figures of a process; a source that does not answer is logged, not at every scrape. */
export function metricsOf(log: Log): Metrics {
  const errors = new ErrorLog(log);
  return new Metrics(processTime, (source, error) => errors.report(`figures: ${source}`, error));
}

/** Builds a service once its stores answer. It neither listens nor works yet. */
export async function openService<S extends ServiceSettings>(
  service: ServiceDefinition<S>,
  settings: S,
  surroundings: Surroundings,
): Promise<OpenService> {
  const { wire, log, starting, traces } = surroundings;
  const imports = [platformModule(service, settings, surroundings), service.module];
  const module = { module: ServiceModule, imports };
  const adapter = httpAdapter(settings);
  // Only JSON is accepted. A form, which any web page may send, is rejected.
  const options = { logger: surroundings.nest, abortOnError: false, bodyParser: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, options);
  await starting.over();
  if (traces) traceCalls(adapter.getInstance(), traces);
  guard(app, adapter, settings, log);
  service.connect?.(app, settings, log, wire);
  return new OpenService(service.name, app, settings, log, traces);
}

/** @throws Error if a store answers and refuses. Exits cleanly if a signal arrives during the wait */
export async function untilEnded<T>(log: Log, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof EndedWhileStarting)) throw error;
    log.info('the service stops before its stores answered');
    process.exit(0);
  }
}

function httpAdapter(settings: ServiceSettings): FastifyAdapter {
  return new FastifyAdapter({
    ...connectionOptions({
      requestMs: settings.REQUEST_TIMEOUT_MS,
      keepAliveMs: settings.KEEP_ALIVE_TIMEOUT_MS,
    }),
    // Calls in progress are finished; see `closeWithin`.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Both are keys like others here: `Validation` refuses `__proto__` with its path, and `constructor` is a valid id.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply.headers(answerHeaders), problem('invalid-request', unreadablePath)),
  });
}

/** Applied to every call: body parsers, headers, CORS, validation, authentication and problem documents. */
function guard(
  app: NestFastifyApplication,
  adapter: FastifyAdapter,
  settings: ServiceSettings,
  log: Log,
): void {
  const clock = app.get(SharedClock);
  const draining = app.get(Draining);
  const dependencies = app.get(Dependencies);
  const background = app.get(Background);
  dependencies.add('needed', { name: 'clock', check: () => checkClock(clock) });
  // Without Redis, jobs wait; HTTP and gRPC calls are still answered.
  dependencies.add('helpful', { name: 'jobs', check: () => background.ready() });
  adapter.getInstance().removeContentTypeParser('text/plain');
  adapter.getInstance().addHook('onRequest', guardRequest);
  digestSignedBodies(adapter.getInstance());
  const cors = corsOptions(settings.CORS_ORIGINS);
  if (cors) app.enableCors(cors);
  adapter.getInstance().addHook('onSend', async (_request, reply) => {
    // A kept-alive connection would bring the next call to this process.
    if (draining.started) void reply.header('connection', 'close');
  });
  const metrics = app.get(Metrics);
  measureCalls(adapter.getInstance(), metrics);
  refuseNewWork(adapter, app.get(Admission), metrics, app.get(ErrorLog));
  app.useGlobalFilters(new ProblemFilter(log, metrics));
  app.useGlobalPipes(new Validation());
  const keys = { serverKey: settings.SERVER_KEY, operatorKey: settings.OPERATOR_KEY };
  const reflector = app.get(Reflector);
  app.useGlobalGuards(
    new CallerGuard(
      reflector,
      app.get(Logins),
      app.get(CoordinatorTokens),
      keys,
      clock.now,
      app.get(OPERATOR_SIGN_IN),
      app.get(CallLimits),
      app.get(FleetSignIn),
    ),
    new NoInputGuard(reflector),
  );
}

/** Has the routes of new work refuse calls while the service is busy, before they are read and authenticated. */
function refuseNewWork(
  adapter: FastifyAdapter,
  admission: Admission,
  metrics: Metrics,
  errors: ErrorLog,
): void {
  const refuse = refusing(admission, (error) => {
    metrics.count('problems', { problem: error.code });
    errors.report(`calls (${error.code})`, error);
  });
  adapter.getInstance().addHook('onRoute', (route) => {
    const name = [route.method].flat().map((method) => endpointAt(method, route.url));
    if (name.some((each) => each !== undefined && isNewWork(each)))
      route.onRequest = [route.onRequest ?? [], refuse].flat();
  });
}

/** The two steps of a clean end. */
export interface Ending {
  /** Reports "not ready" from now on. */
  drain(): void;
  /** Finishes work in progress and closes everything. */
  end(): Promise<void>;
}

/** Ends the process on SIGTERM or SIGINT. */
export function endOnSignal(
  name: string,
  limits: Pick<ServiceSettings, 'DRAIN_PAUSE_MS' | 'DRAIN_LIMIT_MS'>,
  log: Log,
  ending: Ending,
): void {
  let isEnding = false;
  const end = async (signal: string): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    ending.drain();
    log.info({ signal }, `${name} drains`);
    // The time in which load balancers notice that the service is not ready.
    await pause(limits.DRAIN_PAUSE_MS);
    // The process exits even if something hangs: another process repeats its work.
    setTimeout(() => process.exit(1), limits.DRAIN_LIMIT_MS).unref();
    try {
      await ending.end();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, `${name} did not end cleanly`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
}

async function checkClock(clock: SharedClock): Promise<void> {
  if (!clock.sound) throw new Error(clock.problem);
}

/** Runs a service's main. If it cannot start, prints the error's message without a stack and exits, see {@link exitCodeOf}. */
export function main(run: () => Promise<void>): void {
  speakPlainly();
  // `Promise.resolve` also catches invalid settings, which are thrown synchronously.
  Promise.resolve()
    .then(run)
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(exitCodeOf(error));
    });
}
