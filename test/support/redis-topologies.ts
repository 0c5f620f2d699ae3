import { Redis, type RedisOptions } from 'ioredis';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Real Redis servers on free ports of 127.0.0.1, with their data in a directory of their own. */
export interface RedisTopology {
  /** The settings of a service: `REDIS_URL` and whatever else it takes to connect. */
  readonly env: { readonly REDIS_URL: string } & Readonly<Record<string, string>>;
  /** The servers that hold keys, by name. Sentinels are not among them. */
  readonly servers: readonly RedisServer[];
  /** The sentinels; empty without Sentinel. */
  readonly sentinels: readonly RedisServer[];
  /** The server that accepts writes of this key now; rejects while there is none. */
  masterOf(key: string): Promise<RedisServer>;
  /** Ends all servers and deletes their data. */
  stop(): Promise<void>;
}

/** Credentials that every server and client of a topology uses. */
export interface Security {
  /** Encrypts all connections: to servers, among them and to sentinels. */
  readonly tls?: CertificateFiles;
  /** Further lines of the configuration of every server, such as `user …` or `min-replicas-to-write 1`. */
  readonly lines?: readonly string[];
}

/** How soon servers and sentinels take a silent peer for dead. */
export const downAfterMs = 2_000;

/** One server process. A killed one is started again on its port with its data. */
export class RedisServer {
  private child: ChildProcess | null = null;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly program: string,
    private readonly configFile: string,
    private readonly options: RedisOptions,
    private readonly args: readonly string[] = [],
  ) {}

  /** @throws Error while it does not run */
  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`${this.name} does not run`);
    return this.child.pid;
  }

  get runs(): boolean {
    return this.child !== null;
  }

  /** Starts it, and waits until it answers. */
  async start(): Promise<void> {
    const child = spawn(this.program, [this.configFile, ...this.args], { stdio: 'ignore' });
    this.child = child;
    const abandon = (): void => void child.kill('SIGKILL');
    process.once('exit', abandon);
    child.once('exit', () => {
      process.off('exit', abandon);
      if (this.child === child) this.child = null;
    });
    await until(async () => {
      if (this.child !== child) throw new Error(`${this.name} ended at its start`);
      return (await this.ask('PING').catch(() => '')) === 'PONG';
    }, `${this.name} answers`);
  }

  /** Ends it, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child === null) return;
    const exited = once(child, 'exit');
    // A stopped process would not handle another signal.
    child.kill('SIGCONT');
    child.kill(signal);
    await exited;
  }

  /** Asks it over a connection of its own. */
  async ask(command: string, ...args: readonly string[]): Promise<unknown> {
    const redis = new Redis({
      ...this.options,
      host: '127.0.0.1',
      port: this.port,
      lazyConnect: true,
      enableReadyCheck: false,
      connectTimeout: 2_000,
      commandTimeout: 2_000,
      retryStrategy: () => null,
    });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.call(command, ...args);
    } finally {
      redis.disconnect();
    }
  }
}

/** The server program of this machine, or null: `valkey-server` or `redis-server` of the PATH, 7.0 or newer. */
export async function redisProgram(): Promise<string | null> {
  for (const program of ['valkey-server', 'redis-server']) {
    const printed = await promisify(execFile)(program, ['--version']).then(
      ({ stdout }) => stdout,
      () => '',
    );
    const [, major] = / v=(\d+)\./.exec(printed) ?? [];
    if (Number(major) >= 7) return program;
  }
  return null;
}

/** Files: of a certificate authority, and of a certificate and key for servers and clients alike. */
export interface CertificateFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** One server. */
export async function startSingle(security: Security = {}): Promise<RedisTopology> {
  const place = await Place.make(security);
  const server = await place.server('redis');
  return place.topology(`${place.scheme}://127.0.0.1:${server.port}`, [server], [], async () => server);
}

/** A master with replicas, and three sentinels that elect a new master two seconds after the old one falls silent. */
export async function startSentinel(
  security: Security & { readonly replicas?: number } = {},
): Promise<RedisTopology> {
  const place = await Place.make(security);
  const first = await place.server('redis-1');
  const servers = [first];
  for (let i = 0; i < (security.replicas ?? 2); i++)
    servers.push(await place.server(`redis-${i + 2}`, [`replicaof 127.0.0.1 ${first.port}`]));
  const sentinels: RedisServer[] = [];
  for (let i = 1; i <= 3; i++) sentinels.push(await place.sentinel(`sentinel-${i}`, first.port));
  const [sentinel = first] = sentinels;
  await until(async () => {
    const flat = (await sentinel.ask('SENTINEL', 'MASTER', masterName)) as string[];
    const known = new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, Number(flat[i + 1])]] : [])));
    return known.get('num-slaves') === servers.length - 1 && known.get('num-other-sentinels') === 2;
  }, 'the sentinels know each other and the replicas');
  await until(async () => (await connectedReplicas(first)) === servers.length - 1, 'the replicas follow');
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return place.topology(`${place.scheme}+sentinel://${hosts}/${masterName}`, servers, sentinels, async () => {
    // A single sentinel may be behind, and a server that returns is a master until it is told otherwise.
    const named = await Promise.all(sentinels.map(portOfMaster));
    const [port] = named.filter((each, i) => each > 0 && named.indexOf(each) !== i);
    const master = servers.find((server) => server.port === port && server.runs);
    if (master && (await isMaster(master))) return master;
    throw new Error('there is no master now');
  });
}

/** A Cluster of three masters with a replica each. */
export async function startCluster(security: Security = {}): Promise<RedisTopology> {
  const place = await Place.make(security);
  const servers: RedisServer[] = [];
  for (let i = 1; i <= 6; i++) {
    const tls = security.tls ? ['tls-cluster yes'] : [];
    const lines = ['cluster-enabled yes', `cluster-config-file nodes-${i}.conf`, ...tls];
    servers.push(await place.server(`redis-${i}`, [...lines, `cluster-node-timeout ${downAfterMs}`]));
  }
  const [first, ...others] = servers;
  if (!first) throw new Error('no servers');
  const masters = servers.slice(0, 3);
  const slots = Math.ceil(clusterSlots / masters.length);
  for (const [i, master] of masters.entries()) {
    const last = Math.min((i + 1) * slots, clusterSlots) - 1;
    await master.ask('CLUSTER', 'ADDSLOTSRANGE', String(i * slots), String(last));
    // Of different epochs from the start, so that none has to be agreed on.
    await master.ask('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
  }
  for (const other of others) await first.ask('CLUSTER', 'MEET', '127.0.0.1', String(other.port));
  const size = async (server: RedisServer): Promise<number> =>
    String(await server.ask('CLUSTER', 'NODES'))
      .split('\n')
      .filter((line) => line.includes(':') && !line.includes('handshake')).length;
  await until(
    async () => (await Promise.all(servers.map(size))).every((n) => n === servers.length),
    'the nodes of the Cluster know each other',
  );
  for (const [i, replica] of servers.slice(3).entries())
    await replica.ask('CLUSTER', 'REPLICATE', String(await masters[i]?.ask('CLUSTER', 'MYID')));
  const isReady = async (server: RedisServer): Promise<boolean> =>
    String(await server.ask('CLUSTER', 'INFO')).includes('cluster_state:ok');
  await until(async () => {
    const ready = await Promise.all(servers.map(isReady));
    const followed = await Promise.all(masters.map(connectedReplicas));
    return ready.every(Boolean) && followed.every((n) => n === 1);
  }, 'the Cluster serves all slots');
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return place.topology(`${place.scheme}+cluster://${hosts}`, servers, [], async (key) => {
    for (const server of servers.filter(({ runs }) => runs)) {
      const slot = Number(await server.ask('CLUSTER', 'KEYSLOT', key).catch(() => NaN));
      const lines = String(await server.ask('CLUSTER', 'NODES').catch(() => '')).split('\n');
      const mine = lines.find((line) => line.includes('myself,master') && servesSlot(line, slot));
      if (mine !== undefined && (await isReady(server))) return server;
    }
    throw new Error('there is no master of this key now');
  });
}

const masterName = 'muster';
const clusterSlots = 16_384;

/** @param line a line of CLUSTER NODES; its ninth field and those that follow are slots */
function servesSlot(line: string, slot: number): boolean {
  return line
    .trim()
    .split(' ')
    .slice(8)
    .some((range) => {
      const [from = NaN, to = from] = range.split('-').map(Number);
      return slot >= from && slot <= to;
    });
}

/** The port of the master by one sentinel, or 0. */
async function portOfMaster(sentinel: RedisServer): Promise<number> {
  const address = await sentinel.ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName).catch(() => null);
  return Array.isArray(address) ? Number(address[1]) : 0;
}

async function isMaster(server: RedisServer): Promise<boolean> {
  const role = await server.ask('ROLE').catch(() => null);
  return Array.isArray(role) && role[0] === 'master';
}

/** The number of replicas that follow a master without a gap. */
export async function connectedReplicas(master: RedisServer): Promise<number> {
  const info = String(await master.ask('INFO', 'replication'));
  return info.split('\n').filter((line) => /^slave\d+:.*state=online/.test(line)).length;
}

/** Where the servers of a topology are, and how they are started. */
class Place {
  private readonly started: RedisServer[] = [];

  private constructor(
    private readonly program: string,
    private readonly directory: string,
    private readonly security: Security,
    private readonly client: RedisOptions,
  ) {}

  static async make(security: Security): Promise<Place> {
    const program = await redisProgram();
    if (program === null)
      throw new Error('Install valkey-server or redis-server, 7.0 or newer: none is on the PATH.');
    const directory = await mkdtemp(join(tmpdir(), 'muster-redis-'));
    const { tls } = security;
    const [ca, cert, key] = await Promise.all([tls?.ca, tls?.cert, tls?.key].map(readOptional));
    return new Place(program, directory, security, tls ? { tls: { ca, cert, key } } : {});
  }

  get scheme(): string {
    return this.security.tls ? 'rediss' : 'redis';
  }

  /** Starts a server that holds keys. */
  server(name: string, lines: readonly string[] = []): Promise<RedisServer> {
    return this.start(name, [
      'appendonly yes',
      'appendfsync everysec',
      'save ""',
      'maxmemory-policy noeviction',
      // Replicas on a machine with much to do must not be taken for lost.
      'repl-diskless-sync-delay 0',
      ...lines,
      ...(this.security.lines ?? []),
    ]);
  }

  sentinel(name: string, masterPort: number): Promise<RedisServer> {
    const lines = [
      `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 2`,
      `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
      `sentinel failover-timeout ${masterName} ${3 * downAfterMs}`,
    ];
    return this.start(name, lines, ['--sentinel']);
  }

  topology(
    url: string,
    servers: readonly RedisServer[],
    sentinels: readonly RedisServer[],
    masterOf: RedisTopology['masterOf'],
  ): RedisTopology {
    const { tls } = this.security;
    const files: Record<string, string> = tls
      ? { REDIS_CA_FILE: tls.ca, REDIS_CERT_FILE: tls.cert, REDIS_KEY_FILE: tls.key }
      : {};
    const stop = async (): Promise<void> => {
      await Promise.all(this.started.map((server) => server.kill()));
      await rm(this.directory, { recursive: true, force: true });
    };
    return { env: { REDIS_URL: url, ...files }, servers, sentinels, masterOf, stop };
  }

  private async start(
    name: string,
    lines: readonly string[],
    args: readonly string[] = [],
  ): Promise<RedisServer> {
    const port = await freePairOfPorts();
    const directory = join(this.directory, name);
    await mkdir(directory);
    const { tls } = this.security;
    const config = [
      ...(tls
        ? [
            'port 0',
            `tls-port ${port}`,
            `tls-ca-cert-file ${tls.ca}`,
            `tls-cert-file ${tls.cert}`,
            `tls-key-file ${tls.key}`,
            'tls-replication yes',
          ]
        : [`port ${port}`]),
      'bind 127.0.0.1',
      'protected-mode no',
      `dir ${directory}`,
      'daemonize no',
      ...lines,
    ];
    const file = join(directory, 'redis.conf');
    await writeFile(file, `${config.join('\n')}\n`);
    const server = new RedisServer(name, port, this.program, file, this.client, args);
    this.started.push(server);
    try {
      await server.start();
    } catch (error) {
      await Promise.all(this.started.map((each) => each.kill()));
      await rm(this.directory, { recursive: true, force: true });
      throw error;
    }
    return server;
  }
}

const readOptional = (path: string | undefined): Promise<string | undefined> =>
  path === undefined ? Promise.resolve(undefined) : readFile(path, 'utf8');

let nextPort = 20_000 + (process.pid % 200) * 45;

/** A port whose neighbour 10,000 above is free as well: a node of a Cluster listens on both. */
async function freePairOfPorts(): Promise<number> {
  for (;;) {
    const port = nextPort++;
    if (nextPort >= 30_000) nextPort = 20_000;
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Waits until it is so. @throws Error after a minute */
async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    if (await isSo()) return;
    if (performance.now() > deadline) throw new Error(`Not within a minute: ${what}.`);
    await sleep(50);
  }
}
