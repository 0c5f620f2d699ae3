import type { Agent } from 'node:http';
import { GameServer, register } from '../../support/game-server.js';
import { openQueue } from '../../support/open-queue.js';
import { queueUp } from '../../support/party.js';
import type { Stack } from '../../support/stack.js';
import { post } from '../post.js';
import { createDb } from '../../support/prisma.js';

const build = 'bench-live';
const perServer = 50;

/** A server of the load and its sessions. */
export interface LoadedServer {
  readonly serverId: string;
  readonly token: string;
  readonly sessions: readonly string[];
}

/**
 * Creates live sessions of five against five. The first one is created through the API; the others are copies of its
 * rows, because thousands of matches would take longer than the load.
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

/** The outcome of the load of events. */
export interface EventsTaken {
  readonly sessions: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  /** Latencies of the servers' calls, in milliseconds. */
  readonly callMs: readonly number[];
  readonly refused: number;
}

/** Sends one event per session and second, in one call per server and second. */
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
      // Spread over the second.
      await new Promise((resolve) => setTimeout(resolve, (1000 * s) / servers.length));
      for (let second = 1; second <= seconds; second++) {
        const began = performance.now();
        // A server that is silent for long is lost with its sessions.
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
        const sent = status === 200 ? (JSON.parse(text) as { sessions: { outcome: string }[] }).sessions : [];
        const taken = sent.filter(({ outcome }) => outcome === 'taken').length;
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
