import { corsOptions, flawsWithin, problem, speakPlainly, type Flaw } from '@muster/contracts';
import {
  StandardSchemaValidationPipe,
  type DynamicModule,
  type INestApplication,
  type Provider,
  type Type,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { CallerGuard } from './callers.js';
import type { ServiceSettings } from './config.js';
import { createLog, nestLog, type Log } from './logging.js';
import { answerHeaders, connectionOptions, guardRequest, listenBacklog } from './http-server.js';
import { NoQueryGuard } from './no-query.js';
import { OpenCalls } from './open-calls.js';
import { InvalidRequest, ProblemFilter, sendProblem } from './problem-filter.js';
import { DEPENDENCIES, Draining, HealthController, type Readiness } from './readiness.js';
import { repeat } from './loop.js';
import type { SharedClock } from './shared-clock.js';
import { EndedWhileStarting, Starting } from './starting.js';
import { CoordinatorTokens, PlayerTokens } from './tokens.js';

/** How long calls that are under way may take when the process ends, in milliseconds. */
const finishMs = 2_000;
const unreadablePath = 'The path cannot be read: an id in it is too long, or not encoded as a URL demands.';

/** What a service is made of. */
export interface ServiceParts {
  readonly controllers: Type[];
  readonly providers: Provider[];
  /** What this process cannot work without. */
  readonly needs: readonly Readiness[];
  /** What some of its calls need, or have a fallback for. */
  readonly helps?: readonly Readiness[];
  /** The time that this service shares with others. */
  readonly clock: SharedClock;
  /** Starts loops and workers, after HTTP listens. */
  start?(): Promise<void> | void;
  /** Stops taking new work: workers and loops end. HTTP still answers. */
  drain?(): Promise<void>;
  /** Closes connections, last of all. */
  close?(): Promise<void>;
  /** Adds transports, before the service listens. */
  connect?(app: INestApplication): void;
}

export interface ServiceContext {
  readonly log: Log;
  readonly tokens: CoordinatorTokens;
  /** Waits for a store: see {@link Starting.until}. */
  readonly until: Starting['until'];
}

/** How often the stores are asked for the time. */
const clockLookMs = 1_000;

class ServiceModule {}

/**
 * Starts a service: waits for its stores, then HTTP with problem documents, authentication and health, then its own loops. On
 * SIGTERM or SIGINT it drains: says "not ready", answers on for a pause, ends streams and long polls, finishes what it has
 * begun, and ends with code 0.
 */
export async function runService(
  name: string,
  settings: ServiceSettings,
  assemble: (context: ServiceContext) => Promise<ServiceParts> | ServiceParts,
): Promise<void> {
  const log = createLog(name, settings.LOG_LEVEL);
  const tokens = await CoordinatorTokens.from(settings.COORDINATOR_KEY);
  const starting = new Starting(name, settings, log);
  let parts: ServiceParts;
  try {
    parts = await assemble({ log, tokens, until: starting.until });
    await starting.over();
  } catch (error) {
    if (!(error instanceof EndedWhileStarting)) throw error;
    log.info(`${name} ends before its stores answered`);
    process.exit(0);
  }
  const { clock } = parts;
  await clock.measure();
  const draining = new Draining();
  const openCalls = new OpenCalls({
    perCaller: settings.OPEN_CALLS_PER_CALLER,
    perProcess: settings.OPEN_CALLS,
  });
  const module: DynamicModule = {
    module: ServiceModule,
    controllers: [HealthController, ...parts.controllers],
    providers: [
      {
        provide: DEPENDENCIES,
        useValue: {
          needs: [...parts.needs, { name: 'clock', check: () => checkClock(clock) }],
          helps: parts.helps ?? [],
        },
      },
      { provide: Draining, useValue: draining },
      { provide: CoordinatorTokens, useValue: tokens },
      { provide: OpenCalls, useValue: openCalls },
      ...parts.providers,
    ],
  };
  const adapter = new FastifyAdapter({
    ...connectionOptions({
      requestMs: settings.REQUEST_TIMEOUT_MS,
      keepAliveMs: settings.KEEP_ALIVE_TIMEOUT_MS,
    }),
    // Calls under way are finished; see `closed`.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply.headers(answerHeaders), problem('invalid-request', unreadablePath)),
  });
  // JSON and nothing else: a form, which any web page may send, is no ticket.
  const options = { logger: nestLog(log), abortOnError: false, bodyParser: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, options);
  adapter.getInstance().removeContentTypeParser('text/plain');
  adapter.getInstance().addHook('onRequest', guardRequest);
  const cors = corsOptions(settings.CORS_ORIGINS);
  if (cors) app.enableCors(cors);
  adapter.getInstance().addHook('onSend', async (_request, reply) => {
    // A kept connection would bring the next call here instead of to another replica.
    if (draining.started) void reply.header('connection', 'close');
  });
  app.useGlobalFilters(new ProblemFilter(log));
  app.useGlobalPipes(new StandardSchemaValidationPipe({ exceptionFactory: invalid }));
  const keys = { serverKey: settings.SERVER_KEY, operatorKey: settings.OPERATOR_KEY };
  const players = new PlayerTokens(settings.PLAYER_JWKS, {
    issuer: settings.PLAYER_ISSUER,
    longestSeconds: settings.PLAYER_TOKEN_SECONDS,
  });
  app.useGlobalGuards(
    new CallerGuard(app.get(Reflector), players, tokens, keys, clock.now),
    new NoQueryGuard(app.get(Reflector)),
  );
  parts.connect?.(app);
  await app.startAllMicroservices();
  await app.listen({ port: settings.HTTP_PORT, host: settings.HTTP_HOST, backlog: listenBacklog });
  tellOf(clock, log);
  const watch = repeat('clock', clockLookMs, () => clock.measure(), log);
  await parts.start?.();
  log.info({ url: await app.getUrl() }, `${name} is up`);

  const end = async (signal: string): Promise<void> => {
    if (draining.started) return;
    draining.started = true;
    log.info({ signal }, `${name} drains`);
    // Time for load balancers to see that it is not ready, and to send new calls elsewhere.
    await pause(settings.DRAIN_PAUSE_MS);
    // Whatever hangs, the process ends: what it had in hand is repeated by another.
    setTimeout(() => process.exit(1), settings.DRAIN_LIMIT_MS).unref();
    try {
      openCalls.endAll();
      await watch.stop();
      await parts.drain?.();
      await closed(app);
      await parts.close?.();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, `${name} did not end cleanly`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
}

async function checkClock(clock: SharedClock): Promise<void> {
  if (!clock.sound) throw new Error(clock.complaint);
}

/** Says when the machine's clock is wrong, and when it is right again. */
function tellOf(clock: SharedClock, log: Log): void {
  const tell = (): void => {
    const { skewMs } = clock;
    if (clock.sound)
      log.info({ skewMs }, 'the clock of this machine is right again: this replica works again');
    else
      log.error(
        { skewMs },
        `${clock.complaint}; until then this replica leaves leases, sweeps and jobs to others`,
      );
  };
  clock.onChange(tell);
  if (!clock.sound) tell();
}

/** Calls under way are finished, if they are in a moment; connections that carry none are closed. */
async function closed(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const rest = setTimeout(() => server.closeAllConnections(), finishMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(rest);
  }
}

interface Issue extends Omit<Flaw, 'path'> {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function invalid(issues: readonly Issue[]): InvalidRequest {
  const flaws = issues.map(({ path = [], ...flaw }) => ({
    ...flaw,
    path: path.map((part) => (typeof part === 'object' ? part.key : part)),
  }));
  const errors = flawsWithin(flaws).map(({ path = [], message }) => ({
    path: path.map(String).join('.'),
    message,
  }));
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new InvalidRequest(`${sentenceOf(errors[0])}${more}.`, { errors });
}

/** What is wrong with a field, or with the whole. */
function sentenceOf(
  { path, message }: { path: string; message: string } = { path: '', message: 'makes no sense' },
): string {
  if (path !== '') return `\`${path}\`: ${message}`;
  return message.startsWith('there is ') ? `T${message.slice(1)}` : `The request ${message}`;
}

/** Runs a service's main and ends the process with a sentence, not a stack, when it cannot start. */
export function main(run: () => Promise<void>): void {
  speakPlainly();
  // Settings that are wrong are thrown before the first wait; they too are to end here.
  Promise.resolve()
    .then(run)
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    });
}
