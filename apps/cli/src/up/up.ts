import { migrate } from '@muster/db';
import {
  checkout,
  edgeProcess,
  embeddedPostgres,
  embeddedRedis,
  freePort,
  planReplicas,
  planSingle,
  readKeys,
  serviceProcess,
  services,
  singleName,
  singleProcess,
  steadyPort,
  Supervisor,
  type Keys,
  type Replica,
  type Stores,
} from '@muster/embedded';
import { readRedisTarget } from '@muster/redis';
import { OperatorClient } from '@muster/sdk';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressIn, addressOf } from '@muster/command-line/operator/database';
import { makeDataDirectory } from '../directory.js';
import { runDemo } from './demo.js';
import { checkOptions, type UpOptions } from './options.js';
import { checkPolicy } from './policy.js';
import { removeOwnRunFile, writeRunFile, type Running } from './run-file.js';
import { Teller } from './teller.js';
import { abortAfter } from './abort-after.js';

const migrationsDir = join(checkout, 'prisma/migrations');
const startPatienceMs = 90_000;

/**
 * Starts everything: stores (embedded ones, or yours by REDIS_URL and DATABASE_URL), migrations, the services, the edge and,
 * unless told otherwise, the demo. Ends on Ctrl-C, or after `--for`; then the last line of standard output is JSON.
 *
 * @returns the exit code
 */
export async function up(options: UpOptions): Promise<number> {
  checkOptions(options);
  outliveFullDisk();
  const teller = new Teller(options.json);
  if (options.demo === 'arena') checkPolicy(options.policy);
  checkStores();
  await makeDataDirectory(options.dataDir);
  let retell: () => void = () => undefined;
  const supervisor = new Supervisor(
    options.dataDir,
    (line) => teller.say(line),
    () => retell(),
  );
  const { stopping, interrupted } = stopOnSignals(supervisor);

  const serviceNames: string[] = [];
  let summary: object | null = null;
  let code = 0;
  try {
    const running = await startAll(options, supervisor, teller, stopping, serviceNames);
    const readyAt = Date.now();
    const write = (): Promise<void> => writeRunFile(options.dataDir, { ...running, pids: supervisor.pids() });
    await write();
    retell = rewriter(write, teller);
    await sayWhereToLook(options, running, teller);
    const limit = options.for === undefined ? [] : [sleep(options.for)];
    const ended = Promise.race([interrupted, failed(supervisor.failure), ...limit]);
    const { demo, dataDir, players, servers, policy } = options;
    if (demo) {
      const played = { demo, url: running.url, readyAt, dataDir, players, servers, policy };
      const patience = AbortSignal.timeout(startPatienceMs);
      summary = await runDemo(played, running.keys, supervisor, teller, patience, () => ended);
    } else await ended;
    supervisor.failure.throwIfAborted();
  } catch (error) {
    if (!stopping.aborted) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      code = 1;
    }
  }
  retell = () => undefined;
  teller.say('Stopping.');
  await supervisor.stopAll([['demo'], ['edge'], serviceNames, ['redis', 'postgres']]);
  await removeOwnRunFile(options.dataDir);
  if (summary) teller.line(summary);
  return code;
}

/** What is told may go to a file on a disk that is full: the system goes on all the same. */
function outliveFullDisk(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: Error) => {
      if (!('code' in error && error.code === 'ENOSPC')) throw error;
    });
}

/** Ends on SIGINT and SIGTERM; asked a second time, it does not wait for anyone. */
function stopOnSignals(supervisor: Supervisor): { stopping: AbortSignal; interrupted: Promise<void> } {
  const stopping = new AbortController();
  const interrupted = new Promise<void>((resolve) => {
    let count = 0;
    const stop = (): void => {
      stopping.abort();
      resolve();
      if (++count > 1) {
        supervisor.killAll();
        process.exit(130);
      }
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  process.on('exit', () => supervisor.killAll());
  return { stopping: stopping.signal, interrupted };
}

/** Writes run.json anew, once after the other: several processes may die at once, and the file is moved into its place. */
function rewriter(write: () => Promise<void>, teller: Teller): () => void {
  let writing = Promise.resolve();
  return () => {
    writing = writing
      .then(write)
      .catch((error: unknown) => teller.say(`run.json could not be written: ${String(error)}`));
  };
}

async function startAll(
  options: UpOptions,
  supervisor: Supervisor,
  teller: Teller,
  stop: AbortSignal,
  serviceNames: string[],
): Promise<Running> {
  const patience = abortAfter(startPatienceMs, stop);
  const keys = await readKeys(options.dataDir);
  const stores = await startStores(options, supervisor, teller, patience);
  const { applied } = await migrate(stores.databaseUrl, migrationsDir);
  if (applied.length > 0) teller.say(`Migrated the database: ${applied.join(', ')}.`);

  const given = { options, supervisor, teller, patience, stores, keys, serviceNames };
  const { port, replicas } = await (options.single ? startSingle(given) : startServices(given));
  return { url: `http://127.0.0.1:${port}`, keys, stores, replicas };
}

interface Given {
  readonly options: UpOptions;
  readonly supervisor: Supervisor;
  readonly teller: Teller;
  readonly patience: AbortSignal;
  readonly stores: Stores;
  readonly keys: Keys;
  /** Receives the names of the processes. */
  readonly serviceNames: string[];
}

interface Services {
  readonly port: number;
  readonly replicas: readonly Replica[];
}

/** Starts the services, each in processes of its own, and the edge. */
async function startServices(given: Given): Promise<Services> {
  const { options, supervisor, teller, patience, stores, keys, serviceNames } = given;
  const replicas = await planReplicas(options.replicas, options.tcpPort);
  sayLinePort(given, replicas);
  serviceNames.push(...replicas.map((replica) => replica.name));
  teller.say(`Starting ${replicas.map(({ name }) => name).join(', ')} …`);
  // All at once: each says "ready" only when what it needs answers, whichever comes up first.
  await Promise.all(
    replicas.map(async (replica) => {
      await supervisor.start(serviceProcess(replica, replicas, stores, keys, options.logLevel), patience);
      teller.say(`  ${replica.name} is ready`);
    }),
  );
  const port = await publicPort(given);
  await supervisor.start(edgeProcess(port, replicas, options.logLevel), patience);
  return { port, replicas };
}

/** Starts one process that hosts all services. */
async function startSingle(given: Given): Promise<Services> {
  const { options, supervisor, teller, patience, stores, keys, serviceNames } = given;
  const port = await publicPort(given);
  const replicas = await planSingle(port, options.tcpPort);
  sayLinePort(given, replicas);
  serviceNames.push(singleName);
  teller.say(`Starting ${services.join(', ')} in one process …`);
  await supervisor.start(singleProcess(replicas, stores, keys, options.logLevel), patience);
  return { port, replicas };
}

function sayLinePort({ options, teller }: Given, replicas: readonly Replica[]): void {
  const [first] = linePortsOf(replicas);
  if (options.tcpPort && first !== options.tcpPort)
    teller.say(`Port ${options.tcpPort} is taken; the line protocol listens on ${first} instead.`);
}

async function publicPort({ options, teller }: Given): Promise<number> {
  const port = await freePort(options.port);
  if (port !== options.port && options.port !== 0)
    teller.say(`Port ${options.port} is taken; the API listens on ${port} instead.`);
  return port;
}

/** The services would end one after the other. @throws RedisSettingsInvalid, Error for an empty address */
function checkStores(): void {
  for (const name of ['REDIS_URL', 'DATABASE_URL'] as const) addressOf(process.env, name);
  const { REDIS_URL: url } = process.env;
  // A file is read by the services.
  if (url && !url.startsWith('@')) readRedisTarget({ ...process.env, REDIS_URL: url });
}

async function startStores(
  { dataDir }: UpOptions,
  supervisor: Supervisor,
  teller: Teller,
  patience: AbortSignal,
): Promise<Stores> {
  const taken = new Set<number>();
  const [redisPort, postgresPort] = [await steadyPort(taken), await steadyPort(taken)];
  const log = (line: string): void => teller.say(`  ${line}`);
  const startRedis = async (): Promise<Pick<Stores, 'redisUrl' | 'redisEngine'>> => {
    const redis = await embeddedRedis({ dataDir, port: redisPort, log });
    teller.say(`Redis: ${redis.description}.`, { redis: redis.engine });
    if (redis.limits) teller.say(`  Its limits: ${redis.limits}`);
    await supervisor.start(redis.process, patience);
    return { redisUrl: redis.url, redisEngine: redis.engine };
  };
  const startPostgres = async (): Promise<Pick<Stores, 'databaseUrl' | 'databaseRole'>> => {
    const postgres = await embeddedPostgres({ dataDir, port: postgresPort, log });
    teller.say(`Postgres: ${postgres.description}.`);
    await supervisor.start(postgres.process, patience);
    return { databaseUrl: postgres.url, databaseRole: 'required' };
  };
  const { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl } = process.env;
  if (!databaseUrl && (process.env['DATABASE_READ_URL'] || process.env['DATABASE_CA']))
    throw new Error(
      'DATABASE_READ_URL and DATABASE_CA belong to a database of yours: set DATABASE_URL too, or none of them.',
    );
  if (redisUrl) teller.say('Redis: yours, by REDIS_URL.');
  if (databaseUrl) teller.say('Postgres: yours, by DATABASE_URL.');
  const [redis, postgres] = await Promise.all([
    redisUrl ? { redisUrl, redisEngine: 'yours' } : startRedis(),
    databaseUrl
      ? { databaseUrl: await addressIn(process.env, databaseUrl), databaseRole: 'auto' as const }
      : startPostgres(),
  ]);
  return { ...redis, ...postgres };
}

/** Where the line protocol is answered: nowhere unless it is switched on. */
function linePortsOf(replicas: readonly Replica[]): number[] {
  return replicas.flatMap(({ tcpPort }) => tcpPort ?? []);
}

async function sayWhereToLook(options: UpOptions, running: Running, teller: Teller): Promise<void> {
  const { url, replicas, keys } = running;
  const { serverKey, operatorKey } = keys;
  const operator = new OperatorClient({ url, operatorKey, patienceMs: 5_000 });
  // Without a link, the page asks for a key.
  const { link } = await operator.dashboardLink().catch(() => ({ link: `${url}/dashboard` }));
  const processes = options.single ? '1 process' : `${replicas.length} processes`;
  const text = [
    '',
    `Muster is up: ${url} (${services.length} services, ${processes})`,
    `  dashboard              ${link}`,
    `  API and try-out page   ${url}/docs`,
    `  a player's token       npm run -s muster -- token alice`,
    ...linePortsOf(replicas).map((port) => `  line protocol (TCP)    127.0.0.1 ${port}`),
    `  operator and server key  ${join(options.dataDir, 'keys')}`,
    `  logs                   ${join(options.dataDir, 'logs')}`,
    '  Ctrl-C stops everything; the data stays.',
    '',
  ].join('\n');
  const tcpPorts = linePortsOf(replicas);
  teller.ready(text, {
    url,
    dashboard: link,
    dataDir: options.dataDir,
    serverKey,
    operatorKey,
    launcher: process.pid,
    ...(tcpPorts.length > 0 ? { tcpPorts } : {}),
  });
}

/** Resolves when a process cannot run. */
function failed(failure: AbortSignal): Promise<unknown> {
  return failure.aborted ? Promise.resolve() : once(failure, 'abort');
}
