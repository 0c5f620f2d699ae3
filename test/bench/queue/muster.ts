import type { MatchView } from '@muster/contracts';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStream } from '../../support/event-stream.js';
import { Fleet } from '../../support/fleet.js';
import { Stack } from '../../support/stack.js';
import { post } from '../post.js';
import { Counters, prepareCounting } from './counters.js';
import { cpuBetween, cpuSecondsOf, idleCoresOf } from './cpu.js';
import { muOf, type Load, type ArrivalOutcome, type LoadResult, type Results } from './load.js';
import { origin, pace, reached, type Moment, type Origin } from './pace.js';
import { createDb } from '../../support/prisma.js';

export interface MusterOptions {
  /** Processes of each service. */
  readonly replicas: number;
  /** Whether all services run in one process. */
  readonly single: boolean;
  /** A rules document instead of the built-in queues. */
  readonly rules: string | undefined;
  /** The share of players who follow their ticket's events, 0 to 1. */
  readonly followed: number;
  /** The duration of a match until its result is reported, in seconds; null: beyond the end of the load. */
  readonly playSeconds: number | null;
  /** Receives progress messages. */
  readonly say: (text: string) => void;
  /** Further settings, for all processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Runs beside the load, until it is over. */
  readonly meanwhile?: (stack: Stack, over: AbortSignal, from: Origin) => Promise<void>;
}

const build = 'bench';
const region = 'local';
/** The slots of a server whose matches outlast the load, and of one whose matches end. */
const slotsPerServer = 1_000;
const slotsInTurn = 100;
/** How long a slot is taken beside the match, at most. */
const aroundMatchSeconds = 5;
const longMs = 86_400_000;
const ratedWithinMs = 60_000;
const countGrpc = join(process.cwd(), 'test/bench/queue/count-grpc.mjs');

export function startStack(
  { replicas, single, rules }: Pick<MusterOptions, 'replicas' | 'single' | 'rules'>,
  { dataDir, env }: { dataDir?: string; env?: Record<string, string> } = {},
): Promise<Stack> {
  const processes = single ? ['--single'] : ['--replicas', String(replicas)];
  return Stack.start([...processes, '--log-level', 'warn'], {
    ...(dataDir === undefined ? {} : { dataDir }),
    env: { ...env, ...(rules === undefined ? {} : { QUEUES_FILE: rules }) },
  });
}

/** Starts Muster and applies the load through its HTTP API. */
export async function runMuster(load: Load, options: MusterOptions): Promise<LoadResult> {
  const { say } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const grpcFolder = await mkdtemp(join(tmpdir(), 'muster-bench-grpc-'));
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  // A library of Postgres is loaded at its start.
  const first = await startStack(options, { dataDir, env: { ...options.env } });
  await prepareCounting(first.run.databaseUrl);
  await first.stop();
  const stack = await startStack(options, {
    dataDir,
    env: {
      ...options.env,
      NODE_OPTIONS: [process.env['NODE_OPTIONS'], options.env?.['NODE_OPTIONS'], `--import ${countGrpc}`]
        .filter(Boolean)
        .join(' '),
      GRPC_COUNTS: grpcFolder,
    },
  });
  try {
    const pool = await poolOf(stack, load);
    say(`  ${load.moments.length} players: their ratings and tokens`);
    await setRatings(stack, pool, load.skills);
    const tokens = await Promise.all(load.moments.map((_, n) => stack.token(playerId(n), '6h')));
    const fleet = fleetOf(stack, load, options.playSeconds);
    await fleet.start();
    const counters = await Counters.start(stack.run, grpcFolder);
    try {
      return await take({ stack, load, tokens, agent, fleet, counters, options });
    } finally {
      await counters.stop();
      await fleet.stop();
    }
  } finally {
    agent.destroy();
    await stack.stop();
    for (const folder of [dataDir, grpcFolder]) await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly stack: Stack;
  readonly load: Load;
  readonly tokens: readonly string[];
  readonly agent: Agent;
  readonly fleet: Fleet;
  readonly counters: Counters;
  readonly options: MusterOptions;
}

async function take({ stack, load, tokens, agent, fleet, counters, options }: Run): Promise<LoadResult> {
  const { followed, say } = options;
  const warmUpMs = load.warmUpSeconds * 1000;
  const acceptedMs: (number | null)[] = load.moments.map(() => null);
  const ticketIds: string[] = [];
  const meant: number[] = [];
  const refusals: Record<string, number> = {};
  const seatMs: number[] = [];
  const assignMs: number[] = [];

  const come = async (n: number, moment: Moment): Promise<void> => {
    const token = tokens[n] ?? '';
    meant[n] = moment.epochMs;
    const { status, text } = await queueUp(stack.url, agent, token, {
      queue: load.queue,
      build,
      latencyMs: { [region]: 20 },
    });
    if (status !== 201) throw new Error(`${status} ${text.slice(0, 200)}`);
    acceptedMs[n] = moment.sinceMs();
    const { ticketId } = JSON.parse(text) as { ticketId: string };
    ticketIds[n] = ticketId;
    const isSampled = Math.floor((n + 1) * followed) > Math.floor(n * followed);
    if (!isSampled || (load.moments[n] ?? 0) < warmUpMs) return;
    let formedAt = NaN;
    await readStream(stack.url, ticketId, token, undefined, ({ data }) => {
      if (data['state'] === 'placing' && Number.isNaN(formedAt)) formedAt = Number(data['at']);
      if (data['state'] !== 'assigned') return false;
      seatMs.push(moment.sinceMs());
      assignMs.push(Date.now() - formedAt);
      return true;
    });
  };

  say(`  Muster takes ${load.rate}/s of ${load.queue} for ${load.warmUpSeconds} + ${load.seconds} s`);
  const over = new AbortController();
  const from = origin();
  const meanwhile = options.meanwhile?.(stack, over.signal, from);
  const counted = countWindow(stack, counters, load, from);
  const ownBefore = process.cpuUsage();
  await pace(
    load.moments,
    (n, moment) => {
      come(n, moment).catch((error: unknown) => {
        if (acceptedMs[n] !== null) return;
        const words = error instanceof Error ? error.message : String(error);
        refusals[words] = (refusals[words] ?? 0) + 1;
      });
    },
    from,
  );
  const { cpuSeconds, counts } = await counted;
  await new Promise((resolve) => setTimeout(resolve, load.drainSeconds * 1000));
  const { user, system } = process.cpuUsage(ownBefore);
  over.abort();
  await meanwhile;
  const results = options.playSeconds === null ? null : await awaitResults(stack, fleet);

  // At the end: code that ran for a minute costs less than code that runs for the first time.
  say('  the idle system');
  const idleCores = await idleCoresOf(stack.run.pids);
  say('  reading the matches');
  const matchOf = await readMatches(stack);
  const seen = load.moments.map((_, n): ArrivalOutcome => {
    const match = matchOf.get(playerId(n));
    return {
      acceptedMs: acceptedMs[n] ?? null,
      matchedMs: match ? match.formedAt - (meant[n] ?? NaN) : null,
      matchId: match?.matchId ?? null,
    };
  });
  const unmatched = [...seen.keys()].filter((n) => seen[n]?.acceptedMs !== null && seen[n]?.matchId === null);
  const waiting = await countOpen(stack, unmatched, ticketIds);
  return {
    system: 'muster',
    load,
    seen,
    refusals,
    seatMs,
    assignMs,
    waiting,
    cpuSeconds,
    idleCores,
    loadCpuSeconds: (user + system) / 1e6,
    counts,
    results,
  };
}

/** The number of players whose tickets still wait, or found a match after the matches were read. */
async function countOpen(
  stack: Stack,
  players: readonly number[],
  ticketIds: readonly string[],
): Promise<number> {
  let open = 0;
  for (const n of players) {
    const player = await stack.player(playerId(n));
    const ticket = await player.read(ticketIds[n] ?? '').catch(() => null);
    if (ticket !== null && !['cancelled', 'expired', 'failed'].includes(ticket.state)) open += 1;
  }
  return open;
}

/** Reads processor time and counters at both ends of the counted seconds. */
async function countWindow(
  stack: Stack,
  counters: Counters,
  { warmUpSeconds, seconds }: Load,
  from: Origin,
): Promise<Pick<LoadResult, 'cpuSeconds' | 'counts'>> {
  await reached(from, warmUpSeconds * 1000);
  const cpuBefore = cpuSecondsOf(stack.run.pids);
  const before = await counters.read();
  await reached(from, (warmUpSeconds + seconds) * 1000);
  const cpuSeconds = cpuBetween(cpuBefore, cpuSecondsOf(stack.run.pids));
  return { cpuSeconds, counts: { before, after: await counters.read() } };
}

/** Waits until every acknowledged result is in the ratings, or for a minute. */
async function awaitResults(stack: Stack, fleet: Fleet): Promise<Results> {
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    for (const end = Date.now() + ratedWithinMs; ; await sleep(500)) {
      const reported = fleet.report.reported.size;
      const [row] = await db.$queryRaw<{ rated: number; p99: number | null }[]>`
        SELECT count(*)::int AS rated, percentile_cont(0.99) WITHIN GROUP (
          ORDER BY extract(epoch FROM closed_at - ended_at)::float8 * 1000) AS p99
        FROM match WHERE state = 'rated'`;
      const { rated = 0, p99 = null } = row ?? {};
      if (rated >= reported || Date.now() > end) return { reported, rated, ratedMsP99: p99 };
    }
  } finally {
    await db.$disconnect();
  }
}

function playerId(n: number): string {
  return `bench-${n}`;
}

/** @returns the queue's rating pool @throws Error if the queue does not exist or has another size than the load */
async function poolOf(stack: Stack, { queue, playersPerMatch }: Load): Promise<string> {
  const { queues } = await stack.operator.queues();
  const rules = queues.find(({ name }) => name === queue);
  if (!rules)
    throw new Error(`There is no queue "${queue}": only ${queues.map(({ name }) => name).join(', ')}.`);
  if (rules.teams * rules.teamSize !== playersPerMatch)
    throw new Error(
      `A match of "${queue}" has ${rules.teams * rules.teamSize} players, not ${playersPerMatch}.`,
    );
  return rules.pool;
}

/**
 * Gives players established ratings. The first one is set through the API; the others are copies of its row, because
 * tens of thousands of calls would take longer than the load.
 */
async function setRatings(stack: Stack, pool: string, skills: readonly number[]): Promise<void> {
  const model = 'bench-model';
  await stack.operator.setRating(pool, model, {
    mu: 25,
    sigma: 1.5,
    reason: 'Bench: the model of the others.',
  });
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    const players = JSON.stringify(skills.map((skill, n) => ({ id: playerId(n), mu: muOf(skill) })));
    // Enough matches not to be calibrated as newcomers.
    await db.$executeRaw`
      INSERT INTO rating (pool, generation, player_id, state, matches, division, last_rated_at, updated_at)
      SELECT pool, generation, player.id, jsonb_set(state, '{mu}', to_jsonb(player.mu)), 100, division, last_rated_at, updated_at
      FROM rating, jsonb_to_recordset(${players}::jsonb) AS player(id text, mu float8)
      WHERE pool = ${pool} AND player_id = ${model}`;
  } finally {
    await db.$disconnect();
  }
  for (const n of [0, skills.length - 1]) {
    const { mu } = await stack.operator.rating(pool, playerId(n));
    if (Math.abs(mu - muOf(skills[n] ?? 0)) > 1e-6)
      throw new Error(`The rating of ${playerId(n)} was not taken.`);
  }
}

/** Servers with a slot for every match at its time, and some spare ones. */
function fleetOf(stack: Stack, load: Load, playSeconds: number | null): Fleet {
  const matches =
    playSeconds === null
      ? load.moments.length / load.playersPerMatch
      : (load.rate / load.playersPerMatch) * (playSeconds + aroundMatchSeconds);
  const slots = playSeconds === null ? slotsPerServer : slotsInTurn;
  return new Fleet({
    url: stack.url,
    serverKey: stack.run.serverKey,
    servers: Math.max(4, 1 + Math.ceil((1.1 * matches) / slots)),
    slots,
    build,
    region,
    matchMs: () => (playSeconds === null ? longMs : playSeconds * 1000),
    ranks: (teams) => teams.map((_, t) => t + 1),
  });
}

/** Queues a player. @returns status and body */
export function queueUp(
  url: string,
  agent: Agent,
  token: string,
  ticket: object,
): Promise<{ status: number; text: string }> {
  return post(url, agent, '/v1/tickets', token, ticket, { 'idempotency-key': randomUUID() });
}

/** By player, from the export of all matches. Each player queues once. */
async function readMatches(stack: Stack): Promise<Map<string, { matchId: string; formedAt: number }>> {
  const response = await fetch(`${stack.url}/v1/matches/export?format=jsonl`, {
    headers: { authorization: `Bearer ${stack.run.operatorKey}` },
  });
  if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}.`);
  const found = new Map<string, { matchId: string; formedAt: number }>();
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
    const { matchId, formedAt, players } = JSON.parse(line) as MatchView;
    if (formedAt === null) continue;
    for (const player of players) found.set(player.playerId, { matchId, formedAt });
  }
  return found;
}
