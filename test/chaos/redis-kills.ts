import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectedReplicas, type RedisServer, type RedisTopology } from '../support/redis-topologies.js';
import type { Stack } from '../support/stack.js';

/** The root of the keys of the system under test. */
const root = 'muster:{default}';

/** The services may restart meanwhile. */
const clientsBackWithinMs = 60_000;

/** What a fail-over of Redis took, in milliseconds since the kill of the master. */
export interface FailOver {
  readonly killed: string;
  readonly promoted: string;
  /** Until there was another master. */
  readonly masterMs: number;
  /** Until a ticket was acknowledged again. */
  readonly ticketMs: number;
  /** That ticket, which must not vanish later. */
  readonly ticketId: string;
}

/** How many connections of each name the master of the keys has. */
export type Clients = ReadonlyMap<string, number>;

/** The services' connections to the master that holds the keys. Those of a Cluster's map of slots come and go. */
export async function clientsOf(topology: RedisTopology): Promise<Clients> {
  const master = await topology.masterOf(root);
  const names = [...String(await master.ask('CLIENT', 'LIST')).matchAll(/ name=(muster\S+)/g)];
  const counts = new Map<string, number>();
  for (const [, name = ''] of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * Waits until every connection that there was is back.
 *
 * @returns the names of those that are not within a minute, each with what the servers and services say of it
 */
export async function missingClients(
  stack: Stack,
  topology: RedisTopology,
  before: Clients,
): Promise<string[]> {
  const deadline = performance.now() + clientsBackWithinMs;
  for (;;) {
    const now = await clientsOf(topology).catch(() => new Map<string, number>());
    const missing = [...before].filter(([name, count]) => (now.get(name) ?? 0) < count);
    if (missing.length === 0) return [];
    if (performance.now() > deadline) {
      const [listed, flaws] = await Promise.all([clientsOfAll(topology), flawsOf(stack)]);
      return missing.map(([name, count]) =>
        [`${name}: ${now.get(name) ?? 0} of ${count}`, ...linesOf(listed, name), ...flaws].join('\n    '),
      );
    }
    await sleep(250);
  }
}

/** What CLIENT LIST of each server says, by the name of the server. */
async function clientsOfAll({ servers }: RedisTopology): Promise<readonly (readonly [string, string])[]> {
  return Promise.all(
    servers.map(async (server) => {
      const list = server
        .ask('CLIENT', 'LIST')
        .then(String, (error: unknown) => `no answer: ${String(error)}`);
      return [server.name, await list] as const;
    }),
  );
}

/** The clients of a name on all servers, and those that look up the map of slots for it; a line each. */
function linesOf(listed: readonly (readonly [string, string])[], name: string): string[] {
  const lines = listed.flatMap(([server, list]) =>
    list
      .split('\n')
      .filter((line) => line.startsWith('no answer') || /(?<= name=)\S+/.exec(line)?.[0].includes(name))
      .map((line) => `${server}: ${line.trim()}`),
  );
  return lines.length > 0 ? lines : ['no server lists it'];
}

/** What the replicas of services say of connections and loops that stand still. */
async function flawsOf({ run }: Stack): Promise<string[]> {
  const said = run.replicas.map(async ({ name, httpPort }) => {
    const answer = await fetch(`http://127.0.0.1:${httpPort}/health/live`, {
      signal: AbortSignal.timeout(5_000),
    }).catch((error: unknown) => error);
    if (!(answer instanceof Response)) return [`${name}: ${String(answer)}`];
    return answer.ok ? [] : [`${name}: ${await answer.text()}`];
  });
  return (await Promise.all(said)).flat();
}

/**
 * Kills the master that holds the keys, waits until tickets are acknowledged again, and starts it again: as a replica of
 * the one that took its place.
 *
 * @throws Error if no ticket is acknowledged within two minutes
 */
export async function killMaster(stack: Stack, topology: RedisTopology): Promise<FailOver> {
  const master = await topology.masterOf(root);
  const before = await master.ask('INFO', 'replication');
  if (!/state=online/.test(String(before)))
    throw new Error(`${master.name} has no replica to take its place`);
  await master.kill();
  const killedAt = performance.now();
  const since = (): number => Math.round(performance.now() - killedAt);
  const acknowledged = ticketAcknowledged(stack).then((ticketId) => ({ ticketId, ticketMs: since() }));
  const promoted = await anotherMaster(topology, master);
  const masterMs = since();
  await master.start();
  const { ticketId, ticketMs } = await acknowledged;
  await untilFollowed(topology);
  return { killed: master.name, promoted: promoted.name, masterMs, ticketMs, ticketId };
}

async function anotherMaster(topology: RedisTopology, killed: RedisServer): Promise<RedisServer> {
  return patiently('another master', async () => {
    const master = await topology.masterOf(root).catch(() => null);
    return master === killed ? null : master;
  });
}

/** A further kill is survived only if another server has all that was written. */
function untilFollowed(topology: RedisTopology): Promise<true> {
  return patiently('a replica of the new master', async () => {
    const master = await topology.masterOf(root).catch(() => null);
    return master !== null && (await connectedReplicas(master).catch(() => 0)) > 0 ? true : null;
  });
}

/** Asks for a ticket every 50 ms until one is created: of a new player each time, who is in no match with another. */
function ticketAcknowledged(stack: Stack): Promise<string> {
  return patiently('an acknowledged ticket', async () => {
    const probe = `probe-${randomUUID()}`;
    const token = await stack.token(probe);
    const answer = await fetch(`${stack.url}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ queue: '1v1', build: probe, latencyMs: { nowhere: 20 } }),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    if (answer?.status !== 201) return null;
    const { ticketId } = (await answer.json()) as { ticketId: string };
    return ticketId;
  });
}

async function patiently<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== null) return found;
    await sleep(50);
  }
  throw new Error(`Not within two minutes after the master of Redis was killed: ${what}.`);
}
