import { createDb } from '@muster/db';
import type { Agent } from 'node:http';
import { GameServer, register } from '../../support/game-server.js';
import { openQueue } from '../../support/open-queue.js';
import { queueUp } from '../../support/party.js';
import type { Stack } from '../../support/stack.js';
import { post } from '../post.js';

const build = 'bench-live';
const perServer = 50;

/** A server of the load, with the sessions that it hosts. */
export interface LoadedServer {
  readonly serverId: string;
  readonly token: string;
  readonly sessions: readonly string[];
}

/**
 * Sessions of five against five that are being played. One is made as players would make it; the others' rows are copies of its
 * rows, for thousands of matches would take longer than the load.
 */
export async function liveSessions(stack: Stack, count: number): Promise<LoadedServer[]> {
  const queue = await openQueue(stack, 'bench-live', {
    mode: 'team',
    teams: 2,
    teamSize: 5,
    liveBalance: { like: 'sectors-edge-1.2.2', ranked: 'move' },
  });
  const model = await GameServer.start(stack, { serverId: 'bench-model', build, slots: 1 });
  const names = Array.from({ length: 10 }, (_, i) => `model-${i}`);
  const tickets = await Promise.all(
    names.map((name) => queueUp(stack, [name], { queue, build, latencyMs: { local: 10 } })),
  );
  await Promise.all(tickets.map((ticket) => ticket.assigned()));
  const [made] = await model.asked.many(1);
  if (!made) throw new Error('no match was made');
  const { matchId, sessionId } = { matchId: made.order.matchId, sessionId: made.sessionId };
  const servers = await Promise.all(
    Array.from({ length: Math.ceil(count / perServer) }, async (_, i) => {
      const serverId = `bench-live-${i}`;
      const { serverToken } = await register(stack, { serverId, build: `${build}-copies`, slots: perServer });
      return { serverId, token: serverToken };
    }),
  );
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    await db.$executeRaw`
      INSERT INTO match (id, origin, state, pool, queue, build, regions, rules, split, why, prediction, ranks, map, bots,
        session_id, server_id, region, proposed_at, formed_at, placed_at)
      SELECT 'mat_bench_live_' || n, origin, state, pool, queue, build, regions, rules, split, why, prediction, ranks, map, bots,
        'ses_bench_live_' || n, 'bench-live-' || n / ${perServer}, region, proposed_at, formed_at, placed_at
      FROM match, generate_series(0, ${count - 1}::int) AS n WHERE id = ${matchId}`;
    await db.$executeRaw`
      INSERT INTO match_player (match_id, player_id, team, ticket_id, mu, sigma, waited_ms)
      SELECT 'mat_bench_live_' || n, player_id, team, ticket_id, mu, sigma, waited_ms
      FROM match_player, generate_series(0, ${count - 1}::int) AS n WHERE match_id = ${matchId}`;
    await db.$executeRaw`
      INSERT INTO session (id, match_id, server_id, slot_ordinal, incarnation, state, reserved_at, answer_by, host, port, live_at)
      SELECT 'ses_bench_live_' || n, 'mat_bench_live_' || n, 'bench-live-' || n / ${perServer}, n % ${perServer}::int, 1, state,
        reserved_at, answer_by, host, port, live_at
      FROM session, generate_series(0, ${count - 1}::int) AS n WHERE id = ${sessionId}`;
  } finally {
    await db.$disconnect();
  }
  await model.stop();
  return servers.map((server, i) => ({
    ...server,
    sessions: Array.from({ length: perServer }, (_, n) => i * perServer + n)
      .filter((n) => n < count)
      .map((n) => `ses_bench_live_${n}`),
  }));
}

/** What the load of events came to. */
export interface EventsTaken {
  readonly sessions: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  /** From a server's call to its answer, in milliseconds. */
  readonly callMs: readonly number[];
  readonly refused: number;
}

/** Every session has an event a second, told by its server once a second with the others. */
export async function tellEvents(
  stack: Stack,
  agent: Agent,
  servers: readonly LoadedServer[],
  seconds: number,
): Promise<EventsTaken> {
  const callMs: number[] = [];
  let events = 0;
  let refused = 0;
  const from = performance.now();
  await Promise.all(
    servers.map(async ({ serverId, token, sessions }, s) => {
      // Spread over the second, as servers are.
      await new Promise((resolve) => setTimeout(resolve, (1000 * s) / servers.length));
      for (let second = 1; second <= seconds; second++) {
        const began = performance.now();
        // Whoever is silent for long is lost, with its sessions.
        if (second % 3 === 1)
          await post(stack.url, agent, `/v1/servers/${serverId}/heartbeat`, token, { cpuLoad: 0.5 });
        const called = performance.now();
        const body = {
          sessions: sessions.map((sessionId) => ({
            sessionId,
            events: [{ seq: second, kind: second % 2 ? 'death' : 'spawn', playerId: `model-${second % 10}` }],
          })),
        };
        const { status, text } = await post(stack.url, agent, `/v1/servers/${serverId}/rosters`, token, body);
        callMs.push(performance.now() - called);
        const told = status === 200 ? (JSON.parse(text) as { sessions: { outcome: string }[] }).sessions : [];
        const taken = told.filter(({ outcome }) => outcome === 'taken').length;
        events += taken;
        refused += sessions.length - taken;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - (performance.now() - began))));
      }
    }),
  );
  const took = (performance.now() - from) / 1000;
  const count = servers.reduce((sum, { sessions }) => sum + sessions.length, 0);
  return { sessions: count, events, eventsPerSecond: events / took, callMs, refused };
}
