import { setTimeout as sleep } from 'node:timers/promises';
import { LoadClient } from '../../load/client.js';
import { Stack } from '../../support/stack.js';
import { cpuBetween, cpuSecondsOf } from '../queue/cpu.js';
import { fillSessions, sessionsOf, slotsEach } from './fleet.js';
import { createDb } from '../../support/prisma.js';

/** Heartbeats of a number of servers. */
export interface HeartbeatRow {
  readonly servers: number;
  /** Processor cores in use by all processes, without those in use before the first server. */
  readonly cores: number;
  readonly perSecond: number;
  readonly byProcess: Readonly<Record<string, number>>;
}

const idleSeconds = 10;
const warmUpSeconds = 10;
const timedSeconds = 20;
const everyMs = 2_500;
const registrations = 32;

/**
 * Counts the processor time of heartbeats, which servers send to an allocator directly, as through an ingress. Each
 * server has live sessions, and names them.
 *
 * @throws Error if a call is refused
 */
export async function measureHeartbeats(
  sizes: readonly number[],
  say: (text: string) => void,
): Promise<HeartbeatRow[]> {
  const rows: HeartbeatRow[] = [];
  for (const servers of sizes) {
    say(`heartbeats of ${servers} servers`);
    // One key registers them all within seconds.
    const stack = await Stack.start(['--log-level', 'warn'], { env: { RATE_LIMITS: 'off' } });
    try {
      rows.push(await measure(stack, servers));
    } finally {
      await stack.stop();
    }
  }
  return rows;
}

async function measure(stack: Stack, servers: number): Promise<HeartbeatRow> {
  const allocator = stack.run.replicas.find(({ service }) => service === 'allocator');
  if (!allocator) throw new Error('no allocator runs');
  const client = new LoadClient(`http://127.0.0.1:${allocator.httpPort}`);
  const fleet = new BeatingFleet(client);
  try {
    await sleep(5_000);
    const idle = await coresOf(stack, idleSeconds);
    await fleet.register(servers, stack.run.serverKey);
    const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
    await fillSessions(db, servers);
    await db.$disconnect();
    fleet.namesSessions = true;
    await sleep(warmUpSeconds * 1_000);
    const before = fleet.answered;
    const busy = await coresOf(stack, timedSeconds);
    const byProcess = Object.fromEntries(
      Object.entries(busy).map(([name, cores]) => [name, hundredths(cores - (idle[name] ?? 0))]),
    );
    return {
      servers,
      cores: hundredths(Object.values(byProcess).reduce((sum, cores) => sum + cores, 0)),
      perSecond: Math.round((fleet.answered - before) / timedSeconds),
      byProcess,
    };
  } finally {
    await fleet.stop();
    client.close();
  }
}

async function coresOf(stack: Stack, seconds: number): Promise<Record<string, number>> {
  const pids = await stack.pids();
  const before = cpuSecondsOf(pids);
  await sleep(seconds * 1_000);
  const used = cpuBetween(before, cpuSecondsOf(pids)) ?? {};
  return Object.fromEntries(Object.entries(used).map(([name, spent]) => [name, spent / seconds]));
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** Servers that send heartbeats from their registration on, evenly spread over time. */
class BeatingFleet {
  private stopped = false;
  private readonly beating: Promise<void>[] = [];
  private failure: unknown;
  namesSessions = false;
  answered = 0;

  constructor(private readonly client: LoadClient) {}

  async register(count: number, serverKey: string): Promise<void> {
    let next = 1;
    const registrar = async (): Promise<void> => {
      while (next <= count) {
        const server = next++;
        const text = await this.post('/v1/servers', serverKey, {
          serverId: `server-${server}`,
          region: 'eu',
          build: `build-${server % 2}`,
          host: '127.0.0.1',
          port: 7_777,
          slots: slotsEach,
        });
        const { serverToken } = JSON.parse(text) as { serverToken: string };
        const beat = this.beat(server, serverToken);
        beat.catch((error: unknown) => (this.failure ??= error));
        this.beating.push(beat);
      }
    };
    await Promise.all(Array.from({ length: registrations }, registrar));
  }

  /** @throws what a heartbeat failed with */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled(this.beating);
    if (this.failure !== undefined) throw this.failure;
  }

  private async beat(server: number, token: string): Promise<void> {
    const sessions = sessionsOf(server);
    let due = performance.now() + everyMs * Math.random();
    while (!this.stopped) {
      await sleep(Math.max(0, due - performance.now()));
      due += everyMs;
      const body = { cpuLoad: Math.random(), ...(this.namesSessions ? { sessions } : {}) };
      await this.post(`/v1/servers/server-${server}/heartbeat`, token, body);
      this.answered += 1;
    }
  }

  private async post(path: string, token: string, body: object): Promise<string> {
    const { status, text } = await this.client.post(path, token, body);
    if (status >= 300) throw new Error(`${path} was answered with ${status}: ${text}`);
    return text;
  }
}
