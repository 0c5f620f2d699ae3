import { operatorRoles, type OperatorRole } from '@muster/contracts';
import { programOf } from '@muster/embedded';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { JobSender } from '../../libs/platform/src/jobs/job-sender.js';
import { soon } from '../support/checks.js';
import { GameServer, register } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { openQueue } from '../support/open-queue.js';
import { duel, queueUp } from '../support/party.js';
import { createDb, type Db } from '../support/prisma.js';
import { failingJobs } from '../support/failing-jobs.js';
import { Stack } from '../support/stack.js';

const run = promisify(execFile);

/** What the demo does not make happen, in names that nobody else uses. */
export const names = {
  queue: 'acted',
  pool: 'acted',
  demoPool: 'default',
  /** Has a rating, penalties, a booster and a case. */
  player: 'acted-ann',
  server: 'acted-server',
  leaving: 'acted-leaving',
} as const;

/** A system that plays the demo, and beside it one of each thing that an operator may have to do something about. */
export interface Stage {
  readonly stack: Stack;
  readonly keys: Readonly<Record<OperatorRole, string>>;
  readonly ids: Ids;
  stop(): Promise<void>;
}

export interface Ids {
  /** A match of the demo with its ratings. */
  readonly demoMatch: string;
  readonly demoPlayer: string;
  readonly demoServer: string;
  /** Matches without a server, and such that were rated. */
  readonly formed: readonly string[];
  readonly rated: readonly string[];
  /** Matches with two results. */
  readonly contradicted: readonly string[];
  readonly waiting: readonly string[];
  readonly penalties: readonly string[];
  readonly cases: readonly string[];
  readonly dead: readonly string[];
  /** One whose deliveries fail. */
  readonly webhook: string;
}

/** Starts the system and sets all up. */
export async function startStage(): Promise<Stage> {
  const receiver = await refuser();
  // Of two options the last one counts.
  const stack = await Stack.start(['--demo', 'queue', '--single', '--log-level', 'warn'], {
    env: { WEBHOOK_NETWORKS: '127.0.0.0/8' },
  });
  const stops: (() => Promise<unknown>)[] = [() => stack.stop(), () => closed(receiver)];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0)) await each().catch((error: unknown) => console.error(error));
  };
  try {
    const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
    stops.unshift(() => db.$disconnect());
    const server = await GameServer.start(stack, { serverId: names.server, build: names.queue, slots: 8 });
    stops.unshift(() => server.stop());
    const keys = await keysOf(stack);
    const ids = await fill(stack, db, server, receiver);
    return { stack, keys, ids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Takes no event. */
async function refuser(): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

/** A key of each role, made by the command line. */
async function keysOf(stack: Stack): Promise<Record<OperatorRole, string>> {
  const made = await Promise.all(
    operatorRoles.map(async (role) => {
      const asks = ['keys', 'create', `${role}-person`, '--role', role, '--json', '--url', stack.url];
      const { stdout } = await run(process.execPath, [
        programOf('cli'),
        ...asks,
        '--operator-key',
        stack.run.operatorKey,
      ]);
      return [role, z.object({ key: z.string() }).parse(JSON.parse(stdout)).key] as const;
    }),
  );
  return Object.fromEntries(made) as Record<OperatorRole, string>;
}

async function fill(stack: Stack, db: Db, server: GameServer, receiver: Server): Promise<Ids> {
  const { operator } = stack;
  const port = z.object({ port: z.number() }).parse(receiver.address()).port;
  await operator.createPool({
    name: names.pool,
    shadowMatches: 0,
    boosters: { matches: 3, kFactor: 2, divisions: 1 },
    season: { keep: 0.5, uncertainty: 0.8, placementMatches: 2 },
  });
  await openQueue(stack, names.queue, { pool: names.pool });
  const { webhookId } = await operator.createWebhook({
    url: `http://127.0.0.1:${port}/`,
    types: ['result.*', 'match.*'],
  });
  await register(stack, { serverId: names.leaving, build: 'acted-away' });
  const dead = killJobs(stack);
  const waiting = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      queueUp(stack, [`acted-${name}`], { queue: names.queue, build: `acted-${name}` }),
    ),
  );
  const formed = await Promise.all([1, 2].map((n) => formOne(stack, `acted-formed-${n}`)));
  // One after the other: whoever queues at the same time meets.
  const played: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) played.push(await play(stack, server, n, n > 3));
  await operator.calls.grantBooster({
    params: { pool: names.pool },
    body: { playerId: names.player, division: 'Platinum', reason: 'A prize.' },
  });
  return {
    ...(await ofDemo(stack)),
    formed,
    rated: played.slice(0, 3),
    contradicted: played.slice(3),
    waiting: waiting.map(({ ticketId }) => ticketId),
    penalties: await punish(db),
    cases: await suspect(db, played[0] ?? ''),
    dead: await dead,
    webhook: await withDeadDeliveries(db, webhookId),
  };
}

async function formOne(stack: Stack, build: string): Promise<string> {
  const [one] = await duel(stack, build, [`${build}-a`, `${build}-b`], names.queue);
  const { matchId = '' } = await one.until(({ state }) => state === 'placing');
  return matchId;
}

/** A match with its result. @param isTwice whether another result contradicts it */
async function play(stack: Stack, server: GameServer, n: number, isTwice = false): Promise<string> {
  const players = [n === 1 ? names.player : `acted-${n}-a`, `acted-${n}-b`];
  const tickets = await Promise.all(
    players.map((playerId) =>
      queueUp(stack, [playerId], { queue: names.queue, build: names.queue, latencyMs: { local: 20 } }),
    ),
  );
  const [assignment] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
  if (!assignment) throw new Error('a match has an assignment');
  await server.report(assignment.sessionId, { winner: 0 });
  // The first result counts.
  if (isTwice) await server.report(assignment.sessionId, { winner: 1 }).catch(() => undefined);
  await Promise.all(tickets.map((ticket) => ticket.closed()));
  return assignment.matchId;
}

async function ofDemo(stack: Stack): Promise<Pick<Ids, 'demoMatch' | 'demoPlayer' | 'demoServer'>> {
  let found: Pick<Ids, 'demoMatch' | 'demoPlayer' | 'demoServer'> | undefined;
  await until(async () => {
    const { matches } = await stack.operator.matches({ state: 'rated', pool: names.demoPool, limit: 1 });
    const [match] = matches;
    if (match?.serverId)
      found = {
        demoMatch: match.matchId,
        demoPlayer: match.players[0]?.playerId ?? '',
        demoServer: match.serverId,
      };
    return found !== undefined;
  });
  if (!found) throw new Error('the demo rates no match');
  return found;
}

/** Deliveries are given up after a day: here at once. @returns the webhook */
async function withDeadDeliveries(db: Db, webhookId: string): Promise<string> {
  await until(
    async () =>
      (await db.$executeRaw`
        UPDATE webhook_delivery SET state = 'dead' WHERE webhook_id = ${webhookId} AND state <> 'delivered'`) >
      0,
  );
  return webhookId;
}

async function punish(db: Db): Promise<string[]> {
  const ids = [1, 2, 3].map((n) => `pen_acted-penalty-${n}`);
  const at = new Date();
  await db.penalty.createMany({
    data: ids.map((id, i) => ({
      id,
      playerId: names.player,
      kind: 'declined',
      matchId: `mat_acted-match-${i}`,
      queue: names.queue,
      at: new Date(at.getTime() - 60_000 * (i + 1)),
      ...(i === 1 ? { forgivenAt: at, liftedAt: at, liftedWhy: 'An outage.' } : {}),
    })),
  });
  return ids;
}

async function suspect(db: Db, matchId: string): Promise<string[]> {
  const ids = ['cas_acted-case-1', 'cas_acted-case-2'];
  const at = new Date();
  await db.integrityCase.createMany({
    data: ids.map((id, i) => ({
      id,
      pool: names.pool,
      kind: ['thrown', 'newcomer'][i] ?? '',
      subject: names.player,
      players: [names.player],
      state: 'open',
      evidence: 90,
      byChance: 0.001,
      matches: 9,
      matchId,
      sequence: 1,
      pro: [],
      contra: [],
      generation: 1,
      openedAt: at,
      updatedAt: at,
      raise: 'none',
    })),
  });
  return ids;
}

/** Seven tries take twelve seconds on an idle machine. */
const deadWithinSeconds = 150;

/** Jobs that fail at every try. */
async function killJobs(stack: Stack): Promise<string[]> {
  const sender = new JobSender(stack.run.redisUrl, 'default', pino({ level: 'silent' }));
  const ids = [1, 2, 3].map((n) => `mat_acted_poison_${n}`);
  try {
    await sender.send('form-teams', failingJobs(ids));
    await soon(async () => {
      const { jobs: listed } = await stack.operator.deadJobs('form-teams');
      return listed.length >= ids.length ? [] : [`${listed.length} jobs are dead letters`];
    }, deadWithinSeconds);
  } finally {
    await sender.close();
  }
  return ids;
}
