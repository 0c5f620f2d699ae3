import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStream } from '../../support/event-stream.js';
import type { Stack } from '../../support/stack.js';
import type { Counters } from '../queue/counters.js';
import { cpuBetween, cpuSecondsOf } from '../queue/cpu.js';
import type { Load } from '../queue/load.js';
import { origin, pace, reached, type Moment } from '../queue/pace.js';
import { gigabytes } from '../scale/history/fill.js';
import { latenciesOf, type Arrival } from './arrivals.js';
import { costlyOf } from './costly.js';
import { build, serverId, serverOf, sessionsOf, type Extent } from './fill.js';
import type { SocketClient } from './http.js';
import { memoryMbOf } from './memory.js';
import type { Outcome } from './report.js';
import type { ServerCrowd } from './servers.js';
import type { Consent } from './tokens.js';
import type { Db } from '../../support/prisma.js';

const followed = 0.05;
const quietMs = 10_000;
const ratedWithinMs = 60_000;
/** Until every server has asked for commands. */
const settleMs = 22_000;
const playersPerMatch = 10;
const readings = 20;
/** Tickets of rated matches that are looked at, and how long they may take. */
const mostLookedAt = 10_000;
const freedWithinMs = 10_000;

export interface Running {
  readonly stack: Stack;
  readonly load: Load;
  readonly arrivals: readonly Arrival[];
  readonly consents: readonly Consent[];
  readonly client: SocketClient;
  readonly crowd: ServerCrowd;
  readonly counters: Counters;
  readonly db: Db;
  readonly redis: Redis;
  readonly startSeconds: number;
  readonly options: Extent & { readonly say: (text: string) => void };
}

/** What came of a ticket. */
interface Joined {
  readonly ticketId: string;
  readonly acceptedMs: number;
}

/** What the load generator notes while it runs. */
class Notes {
  readonly joined: (Joined | undefined)[] = [];
  readonly meant: number[] = [];
  readonly refusals: Record<string, number> = {};
  readonly seatMs: number[] = [];

  refused(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error);
    this.refusals[words] = (this.refusals[words] ?? 0) + 1;
  }
}

/** Has tickets arrive and results reported, and reads at the end what became of them. */
export async function take(running: Running): Promise<Outcome> {
  const { stack, load, crowd, db, redis, options } = running;
  const { say } = options;
  const pids = await stack.pids();
  say('  servers send heartbeats, no ticket arrives');
  await sleep(settleMs);
  const quietBefore = cpuSecondsOf(pids);
  await sleep(quietMs);
  const quiet = cpuBetween(quietBefore, cpuSecondsOf(pids));
  const notes = new Notes();
  say(`  ${load.rate} tickets/s for ${load.warmUpSeconds} + ${load.seconds} s`);
  const begin = Date.now();
  const counted = await applyLoad(running, pids, notes);
  await sleep(load.drainSeconds * 1000);
  const results = await patiently(() => awaitResults(db, crowd, begin));
  const heldTickets = await patiently(() => awaitFreed(db, redis, begin));
  say('  reading the matches');
  const fates = await patiently(() => fatesOf(running, notes, begin));
  const [fleet] = await db.$queryRaw<{ serversLost: number; sessionsLost: number }[]>`
    SELECT (SELECT count(*)::int FROM server WHERE id LIKE 'server-%' AND state <> 'ready') AS "serversLost",
      (SELECT count(*)::int FROM session WHERE server_id LIKE 'server-%' AND state IN ('lost', 'unanswered', 'refused', 'abandoned'))
        AS "sessionsLost"`;
  for (const [words, count] of crowd.troubles) say(`  of servers, ${count} times: ${words}`);
  for (const [words, count] of Object.entries(notes.refusals)) say(`  of players, ${count} times: ${words}`);
  const memory = await redis.info('memory');
  return {
    players: options.matches * playersPerMatch,
    servers: options.servers,
    seconds: load.seconds,
    ...counted,
    ...fates,
    refusals: notes.refusals,
    ...results,
    heldTickets,
    serversLost: fleet?.serversLost ?? 0,
    sessionsLost: fleet?.sessionsLost ?? 0,
    quietCores: quiet && (1000 * Object.values(quiet).reduce((sum, each) => sum + each, 0)) / quietMs,
    memoryMb: memoryMbOf(pids),
    redisMb: Number(/^used_memory:(\d+)/m.exec(memory)?.[1] ?? NaN) / 1e6,
    databaseGb: await gigabytes(db),
    startSeconds: running.startSeconds,
    costly: await costlyOf(db, redis),
  };
}

/** Repeats a reading of the stores: while they are overloaded, a new connection may take longer than its limit. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt >= readings) throw error;
      await sleep(1_000);
    }
  }
}

type Counted = Pick<
  Outcome,
  'resultsOffered' | 'resultsHeld' | 'heartbeats' | 'cpuSeconds' | 'loadCores' | 'counts'
>;

/** Applies the load, and counts in the counted seconds. */
async function applyLoad(
  running: Running,
  pids: Readonly<Record<string, number>>,
  notes: Notes,
): Promise<Counted> {
  const { load, crowd, counters, options } = running;
  const from = origin();
  const endMs = (load.warmUpSeconds + load.seconds) * 1000;
  const resultMs = (1000 * playersPerMatch) / load.rate;
  // Matches that began first end first.
  const results = Math.min(options.matches, Math.floor(endMs / resultMs));
  const resultMoments = Array.from({ length: results }, (_, n) => n * resultMs);
  const join = (n: number, moment: Moment): void => {
    come(running, notes, n, moment).catch((error: unknown) => {
      if (notes.joined[n] === undefined) notes.refused(error);
    });
  };
  const report = (n: number): void => {
    const match = options.matches - n;
    const server = serverOf(match, options);
    const session = sessionsOf(server, options)[Math.floor((match - 1) / options.servers)] ?? '';
    void crowd.report(serverId(server), session);
  };
  const whole = Promise.all([pace(load.moments, join, from), pace(resultMoments, report, from)]);
  await reached(from, load.warmUpSeconds * 1000);
  const [cpuBefore, own, before] = [
    cpuSecondsOf(pids),
    process.cpuUsage(),
    await patiently(() => counters.read()),
  ];
  const { heartbeats, reported } = crowd;
  await reached(from, endMs);
  const cpuSeconds = cpuBetween(cpuBefore, cpuSecondsOf(pids));
  const { user, system } = process.cpuUsage(own);
  const counted = {
    resultsOffered: resultMoments.filter((at) => at >= load.warmUpSeconds * 1000).length,
    resultsHeld: crowd.reported - reported,
    heartbeats: crowd.heartbeats - heartbeats,
    cpuSeconds,
    loadCores: (user + system) / 1e6 / load.seconds,
    counts: { before, after: await patiently(() => counters.read()) },
  };
  await whole;
  return counted;
}

/** A ticket arrives; the events of some are followed until their seat. @throws Error if it is not taken */
async function come(running: Running, notes: Notes, n: number, moment: Moment): Promise<void> {
  const { stack, load, arrivals, consents, client } = running;
  const { token = '', partyPasses = [] } = consents[n] ?? {};
  notes.meant[n] = moment.epochMs;
  const body = {
    queue: load.queue,
    build,
    latencyMs: latenciesOf(arrivals[n]?.region ?? 0),
    ...(partyPasses.length > 0 ? { partyPasses } : {}),
  };
  const key = `idempotency-key: ${randomUUID()}\r\n`;
  const { status, text } = await client.call('POST', '/v1/tickets', token, body, key);
  if (status !== 201) throw new Error(`${status} ${text.slice(0, 200)}`);
  const { ticketId } = JSON.parse(text) as { ticketId: string };
  notes.joined[n] = { ticketId, acceptedMs: moment.sinceMs() };
  const isSampled = Math.floor((n + 1) * followed) > Math.floor(n * followed);
  if (!isSampled || (load.moments[n] ?? 0) < load.warmUpSeconds * 1000) return;
  const queuePort = stack.run.replicas.find(({ service }) => service === 'queue')?.httpPort ?? 0;
  await readStream(`http://127.0.0.1:${queuePort}`, ticketId, token, undefined, ({ data }) => {
    if (data['state'] !== 'assigned') return false;
    notes.seatMs.push(moment.sinceMs());
    return true;
  });
}

/** Waits until every acknowledged result is in the ratings, or for a minute. */
async function awaitResults(
  db: Db,
  crowd: ServerCrowd,
  begin: number,
): Promise<Pick<Outcome, 'reported' | 'rated' | 'ratedMsP99'>> {
  for (const end = Date.now() + ratedWithinMs; ; await sleep(500)) {
    const { reported } = crowd;
    const [row] = await db.$queryRaw<{ rated: number; p99: number | null }[]>`
      SELECT count(*)::int AS rated, percentile_cont(0.99) WITHIN GROUP (
        ORDER BY extract(epoch FROM closed_at - ended_at)::float8 * 1000) AS p99
      FROM match WHERE state = 'rated' AND ended_at >= ${new Date(begin)}`;
    const { rated = 0, p99 = null } = row ?? {};
    if (rated >= reported || Date.now() > end) return { reported, rated, ratedMsP99: p99 };
  }
}

/** Waits until no ticket of a rated match holds its players, or for some seconds. @returns those that do */
async function awaitFreed(db: Db, redis: Redis, begin: number): Promise<number> {
  const rows = await db.$queryRaw<{ ticketId: string }[]>`
    SELECT DISTINCT ticket_id AS "ticketId" FROM match_player JOIN match ON match.id = match_id
    WHERE state = 'rated' AND ended_at >= ${new Date(begin)} AND ticket_id IS NOT NULL LIMIT ${mostLookedAt}`;
  for (const end = Date.now() + freedWithinMs; ; await sleep(500)) {
    const closed = await fieldsOf(
      redis,
      rows.map(({ ticketId }) => ticketId),
      'c',
    );
    const held = closed.filter((value) => value !== '1').length;
    if (held === 0 || Date.now() > end) return held;
  }
}

type Fates = Pick<
  Outcome,
  'offered' | 'held' | 'joinMs' | 'matchMs' | 'seatMs' | 'matches' | 'unmatched' | 'lost'
>;

/** What became of the tickets: in a match by Postgres, or still known to Redis. */
async function fatesOf({ load, db, redis }: Running, notes: Notes, begin: number): Promise<Fates> {
  const rows = await db.$queryRaw<{ ticketId: string; matchId: string; formedAt: Date }[]>`
    SELECT DISTINCT ticket_id AS "ticketId", match_id AS "matchId", formed_at AS "formedAt" FROM match_player
    WHERE formed_at >= ${new Date(begin)} AND player_id LIKE 'come-%'`;
  const matchOf = new Map(rows.map((row) => [row.ticketId, row]));
  const beginMs = load.warmUpSeconds * 1000;
  const endMs = beginMs + load.seconds * 1000;
  const isCounted = (ms: number): boolean => ms >= beginMs && ms < endMs;
  const [joinMs, matchMs]: [number[], number[]] = [[], []];
  const matches = new Set<string>();
  const unmatched: string[] = [];
  let held = 0;
  load.moments.forEach((at, n) => {
    const joined = notes.joined[n];
    if (!joined) return;
    if (isCounted(at + joined.acceptedMs)) held += 1;
    if (isCounted(at)) joinMs.push(joined.acceptedMs);
    const match = matchOf.get(joined.ticketId);
    if (!match) return void unmatched.push(joined.ticketId);
    const waitedMs = match.formedAt.getTime() - (notes.meant[n] ?? NaN);
    if (isCounted(at + waitedMs)) matches.add(match.matchId);
    if (isCounted(at)) matchMs.push(waitedMs);
  });
  return {
    offered: load.moments.filter(isCounted).length,
    held,
    joinMs,
    matchMs,
    seatMs: notes.seatMs,
    matches: matches.size,
    unmatched: unmatched.length,
    lost: await lostOf(redis, unmatched),
  };
}

/** Tickets without a match that Redis does not know, or knows as in a match. */
async function lostOf(redis: Redis, ticketIds: readonly string[]): Promise<number> {
  const inMatch = ['placing', 'assigned'];
  const states = await fieldsOf(redis, ticketIds, 's');
  return states.filter((state) => state === null || inMatch.includes(state)).length;
}

/** A field of each ticket's hash; see apps/queue/ticket-fields.mjs. */
async function fieldsOf(
  redis: Redis,
  ticketIds: readonly string[],
  field: string,
): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (let from = 0; from < ticketIds.length; from += 1_000)
    found.push(
      ...(await Promise.all(
        ticketIds.slice(from, from + 1_000).map((id) => redis.hget(`muster:{default}:ticket:${id}`, field)),
      )),
    );
  return found;
}
