import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { openQueue } from '../support/open-queue.js';
import { queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';
import { createDb, type Db } from '../support/prisma.js';

// A match of a queue with live balance; assignment is killed during it.

const build = 'live-1';
const delayMs = 3_000;
const patient = { timeout: 60_000, interval: 100 };

let stack: Stack;
let server: GameServer;
let db: Db;

beforeAll(async () => {
  stack = await storiesStack();
  db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  server = await GameServer.start(stack, { serverId: 'live-server', build, slots: 10 });
});
afterAll(async () => {
  await server?.stop();
  await db?.$disconnect();
});

interface Played {
  readonly sessionId: string;
  readonly matchId: string;
  readonly teams: readonly (readonly string[])[];
}

/** A running match of four against four. */
async function play(queue: string): Promise<Played> {
  const names = Array.from({ length: 8 }, (_, i) => `${queue}-${i}`);
  const tickets = await Promise.all(
    names.map((name) => queueUp(stack, [name], { queue, build, latencyMs: { local: 10 } })),
  );
  await Promise.all(tickets.map((ticket) => ticket.assigned()));
  const { sessionId, order } = await server.asked.first((asked) => asked.order.queue === queue);
  return { sessionId, matchId: order.matchId, teams: order.teams };
}

/** Waits until the coordinator has acknowledged all events of the session. */
async function taken(sessionId: string, events: number): Promise<void> {
  await vi.waitFor(async () => {
    const row = await db.liveBalance.findUnique({ where: { sessionId } });
    expect(row?.lastSeq).toBe(events);
  }, patient);
}

const four = { mode: 'team', teams: 2, teamSize: 4 };
const moving = {
  like: 'sectors-edge-1.2.2' as const,
  ranked: 'move' as const,
  exempt: { modes: [], secondsLeft: 0 },
  rules: [
    {
      kind: 'powers' as const,
      version: '1.2.2' as const,
      sizes: 'table' as const,
      leastPower: 10,
      strictSizes: false,
      lowestShare: 1,
      delayMs,
      onlyDead: true,
    },
  ],
};

describe('a match with live balance', () => {
  it('keeps its delay and its moves when assignment is killed', async () => {
    const queue = await openQueue(stack, 'live-kill', { ...four, liveBalance: moving });
    const { sessionId, matchId, teams } = await play(queue);
    const [stay = [], thin = []] = teams;
    // Two leave: four against two is unbalanced.
    for (const playerId of thin.slice(0, 2)) server.happened(sessionId, { kind: 'leave', playerId });
    await taken(sessionId, 2);
    const found = await db.liveBalance.findUniqueOrThrow({ where: { sessionId } });
    expect(found.state).toMatchObject({ since: { from: 0, to: 1 }, ordered: null });

    const before = (await stack.pids())['assignment'] ?? 0;
    process.kill(before, 'SIGKILL');
    // Sent while it is down: no event is lost.
    const [first = ''] = stay;
    server.happened(sessionId, { kind: 'score', playerId: first, points: 1 });
    await taken(sessionId, 3);
    expect((await stack.pids())['assignment']).not.toBe(before);
    const after = await db.liveBalance.findUniqueOrThrow({ where: { sessionId } });
    expect((after.state as { since: unknown }).since).toEqual((found.state as { since: unknown }).since);

    // After the delay, the next player who dies changes team.
    const since = (found.state as { since: { at: number } }).since.at;
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(since + delayMs), patient);
    expect(server.orders.all).toEqual([]);
    server.happened(sessionId, { kind: 'death', playerId: first });
    const order = await server.orders.first((each) => each.sessionId === sessionId);
    expect(order.moves).toMatchObject([{ playerId: first, from: 0, to: 1 }]);
    expect(order.moves[0]?.why).toMatch(/4 against 2/);
    server.happened(sessionId, { kind: 'team', playerId: first, team: 1 });
    server.happened(sessionId, { kind: 'spawn', playerId: first });
    await taken(sessionId, 6);

    // The move is recorded with the match, and the player counts for the other team.
    const match = await stack.operator.match(matchId);
    expect(match.balance).toMatchObject([{ moves: order.moves, why: order.why }]);
    expect(match.players.find(({ playerId }) => playerId === first)?.team).toBe(1);

    // Unbalanced the other way, after another kill: a player is moved at most once.
    for (const playerId of stay.slice(1, 3)) server.happened(sessionId, { kind: 'leave', playerId });
    await taken(sessionId, 8);
    process.kill((await stack.pids())['assignment'] ?? 0, 'SIGKILL');
    server.happened(sessionId, { kind: 'death', playerId: first });
    await taken(sessionId, 9);
    const last = await db.liveBalance.findUniqueOrThrow({ where: { sessionId } });
    expect((last.state as { moved: string[] }).moved).toEqual([first]);
    expect(server.orders.all.filter((each) => each.sessionId === sessionId)).toHaveLength(1);

    await server.report(sessionId, { winner: 1, scores: [0, 1], players: [] });
    await vi.waitFor(async () => expect((await stack.operator.match(matchId)).state).toBe('rated'), patient);
    // The moved player won with the new team.
    const rated = await stack.operator.match(matchId);
    const moved = rated.players.find(({ playerId }) => playerId === first);
    expect(moved?.after?.mu ?? 0).toBeGreaterThan(moved?.before?.mu ?? Infinity);
  });

  it('moves a player when the delay ends, without a further event', async () => {
    const rules = [{ kind: 'sizes' as const, least: 2, delayMs: 1_500, onlyDead: false }];
    const queue = await openQueue(stack, 'live-delay', { ...four, liveBalance: { ...moving, rules } });
    const { sessionId, teams } = await play(queue);
    for (const playerId of teams[1]?.slice(0, 2) ?? [])
      server.happened(sessionId, { kind: 'leave', playerId });
    const order = await server.orders.first((each) => each.sessionId === sessionId);
    expect(order).toMatchObject({ number: 1, moves: [{ from: 0, to: 1 }] });
  });

  it('is scrambled between rounds after repeated wins, also if assignment is killed meanwhile', async () => {
    const scramble = { mode: 'arena' as const, winsInARow: 3, fullRounds: 2, bench: 'anyone' as const };
    const liveBalance = { like: 'none' as const, ranked: 'move' as const, scramble };
    const queue = await openQueue(stack, 'live-rounds', { ...four, liveBalance });
    const { sessionId, matchId, teams } = await play(queue);
    const round = (number: number): void =>
      server.happened(sessionId, { kind: 'round-ended', round: number, winner: 0 });
    // The duel, after which the teams should be most even; they already are, so they stay.
    server.happened(sessionId, { kind: 'waiting-ended' });
    [1, 2, 3].forEach(round);
    await taken(sessionId, 4);
    process.kill((await stack.pids())['assignment'] ?? 0, 'SIGKILL');
    // A malformed event is never accepted, and a meaningless one has no effect; later events are not blocked.
    server.happened(sessionId, { kind: 'leave', playerId: 'x'.repeat(500) });
    server.happened(sessionId, { kind: 'team', playerId: teams[0]?.[0] ?? '', team: 7 });
    round(4);
    const order = await server.orders.first((each) => each.sessionId === sessionId);
    expect(order).toMatchObject({ number: 1, kind: 'scramble', exact: true });
    expect(order.why).toMatch(/won 3 rounds in a row/);
    expect(order.moves.length).toBeGreaterThanOrEqual(2);
    for (const { playerId, to } of order.moves)
      server.happened(sessionId, { kind: 'team', playerId, team: to });
    await taken(sessionId, 6 + order.moves.length);

    const row = await db.liveBalance.findUniqueOrThrow({ where: { sessionId } });
    expect(row.state).toMatchObject({ moved: [], mixing: null, rounds: { rounds: 4, pending: null } });
    const match = await stack.operator.match(matchId);
    expect(match.balance).toMatchObject([{ kind: 'scramble', why: order.why }]);
    const sizes = [0, 1].map((team) => match.players.filter((player) => player.team === team).length);
    expect(sizes).toEqual([4, 4]);
    for (const { playerId, to } of order.moves)
      expect(match.players.find((player) => player.playerId === playerId)?.team).toBe(to);
    expect(server.troubles.all.map(String).join()).toMatch(/"leave" is dropped: .*playerId.*team 7/s);
  });

  it('accepts side wishes, and hides them until the deadline', async () => {
    const liveBalance = { like: 'none' as const, ranked: 'move' as const };
    const queue = await openQueue(stack, 'live-sides', { ...four, liveBalance });
    const { sessionId, matchId, teams } = await play(queue);
    const [wants = '', other = ''] = [teams[0]?.[0], teams[1]?.[0]];
    server.happened(sessionId, { kind: 'side-pick', forMs: 2_000, winners: [wants, other] });
    server.happened(sessionId, { kind: 'wish', playerId: wants, side: 1 });
    server.happened(sessionId, { kind: 'wish', playerId: other, side: 0 });
    await taken(sessionId, 3);
    expect(JSON.stringify(await stack.operator.match(matchId))).not.toMatch(/wish/);
    const order = await server.orders.first((each) => each.sessionId === sessionId);
    expect(order).toMatchObject({ kind: 'sides', why: expect.stringMatching(/2 of 2 wishes/) as string });
    expect(order.moves.find(({ playerId }) => playerId === wants)).toMatchObject({ from: 0, to: 1 });
    expect(order.moves.find(({ playerId }) => playerId === other)).toMatchObject({ from: 1, to: 0 });
  });

  it('is not balanced if its rules do not require it', async () => {
    const queue = await openQueue(stack, 'live-none', four);
    const { sessionId, matchId, teams } = await play(queue);
    for (const playerId of teams[1] ?? []) server.happened(sessionId, { kind: 'leave', playerId });
    server.happened(sessionId, { kind: 'death', playerId: teams[0]?.[0] ?? '' });
    // Events are accepted and not stored.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await db.liveBalance.findUnique({ where: { sessionId } })).toBeNull();
    expect((await stack.operator.match(matchId)).balance).toEqual([]);
  });
});
