import type { Roster } from '@muster/live-balance';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../support/gate.js';
import { GameServer } from '../support/game-server.js';
import { openQueue } from '../support/open-queue.js';
import { queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';
import { createDb, type Db } from '../support/prisma.js';

// Players who win as aliens and lose as humans: a match of a queue with these sides, and its live balance.

const pool = 'live-aspects';
const build = 'live-aspects-1';
const sides = ['alien', 'human'];
/** Known levels of eight players, and of one who comes later. */
const levels = [18, 20, 22, 24, 26, 28, 30, 32, 25];
const names = levels.map((_, i) => `alien-${i}`);
const newcomer = names.at(-1) ?? '';
const toleranceShare = 0.05;

let stack: Stack;
let server: GameServer;
let db: Db;

beforeAll(async () => {
  stack = await storiesStack();
  db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  server = await GameServer.start(stack, { serverId: 'live-aspects-server', build, slots: 2 });
  await stack.operator.createPool({ name: pool, aspects: { side: 0.8 } });
  await Promise.all(
    names.flatMap((alien, i) =>
      [1, 2, 4].map((further) => {
        const human = names[(i + further) % names.length] ?? '';
        const eventId = `${pool}-${alien}-${human}`;
        return stack.operator.reportMatch({ eventId, pool, teams: [[alien], [human]], ranks: [1, 2], sides });
      }),
    ),
  );
  await until(async () => {
    const ratings = await Promise.all(names.map((name) => stack.operator.rating(pool, name)));
    return ratings.every(({ matches }) => matches === 6);
  });
  for (const [i, name] of names.entries())
    await stack.operator.setRating(pool, name, { mu: levels[i] ?? 25, sigma: 2, reason: 'known here' });
});
afterAll(async () => {
  await server?.stop();
  await db?.$disconnect();
});

/** The roster once the coordinator has taken this many events, and the number of its orders then. */
async function taken(sessionId: string, events: number): Promise<{ roster: Roster; orders: number }> {
  const row = await vi.waitFor(
    async () => {
      const found = await db.liveBalance.findUniqueOrThrow({ where: { sessionId } });
      expect(found.lastSeq).toBe(events);
      return found;
    },
    { timeout: 30_000, interval: 50 },
  );
  return { roster: row.roster as unknown as Roster, orders: row.orders };
}

/** What the first team counts more than the second: by rating alone, and on their sides. */
function apart({ players }: Roster): { readonly byRating: number; readonly bySide: number } {
  const playing = players.filter(({ team, spectator }) => team !== null && !spectator);
  const byRating = playing.reduce((sum, { team, rating }) => sum + (team === 0 ? rating : -rating), 0);
  return { byRating, bySide: byRating + playing.reduce((sum, { lead = 0 }) => sum + lead, 0) };
}

describe('a match of a queue with sides', () => {
  it('is kept balanced by what its players count on their sides', async () => {
    const { aspects } = await stack.operator.rating(pool, newcomer);
    expect(aspects?.find(({ name }) => name === 'side:alien')?.mean).toBeGreaterThan(0);
    const queue = await openQueue(stack, 'live-aspects', {
      mode: 'team',
      pool,
      teams: 2,
      teamSize: 4,
      sides,
      liveBalance: {
        like: 'hive',
        ranked: 'move',
        exempt: { modes: [], secondsLeft: 0 },
        rules: [{ kind: 'swaps', toleranceShare, onVote: true, delayMs: 0, onlyDead: false }],
      },
    });
    const tickets = await Promise.all(
      names.slice(0, 8).map((name) => queueUp(stack, [name], { queue, build, latencyMs: { local: 10 } })),
    );
    await Promise.all(tickets.map((ticket) => ticket.assigned()));
    const { sessionId, order } = await server.asked.first((asked) => asked.order.queue === queue);

    // The teams were made for their sides: by rating alone, the vote would find them uneven.
    server.happened(sessionId, { kind: 'vote' });
    const formed = await taken(sessionId, 1);
    // Of sums of about 100.
    const tolerance = toleranceShare * 100;
    expect(formed.roster.players.every(({ lead = 0 }) => lead > 0)).toBe(true);
    expect(apart(formed.roster).byRating).toBeLessThan(-2 * tolerance);
    expect(Math.abs(apart(formed.roster).bySide)).toBeLessThan(tolerance);
    expect(formed.orders).toBe(0);

    // A newcomer is better as an alien, too, and counts once they play.
    server.happened(sessionId, { kind: 'join', playerId: newcomer, team: null, spectator: true });
    const joined = await taken(sessionId, 2);
    expect(joined.roster.players.find(({ playerId }) => playerId === newcomer)?.lead).toBeGreaterThan(0);
    expect(apart(joined.roster)).toEqual(apart(formed.roster));

    // With the same teams on the other sides, it is the other way round.
    for (const [team, ids] of order.teams.entries())
      for (const playerId of ids) server.happened(sessionId, { kind: 'team', playerId, team: 1 - team });
    const turned = await taken(sessionId, 10);
    expect(turned.orders).toBe(0);
    expect(apart(turned.roster).bySide).toBeGreaterThan(2 * tolerance);
    server.happened(sessionId, { kind: 'vote' });
    const sent = await server.orders.first((each) => each.sessionId === sessionId);
    for (const { playerId, to } of sent.moves)
      server.happened(sessionId, { kind: 'team', playerId, team: to });
    const swapped = await taken(sessionId, 11 + sent.moves.length);
    expect(Math.abs(apart(swapped.roster).bySide)).toBeLessThan(1.1 * tolerance);
  });
});
