import type { MatchView, WaitingView } from '@muster/contracts';
import { conclude, readSearch, type Search } from '@muster/skill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { openQueue } from '../support/open-queue.js';
import { duel, queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';
import { createDb, type Db } from '../support/prisma.js';

type WaitingTicket = z.infer<typeof WaitingView>['waiting'][number];

const build = 'calibration-1';
const names: [string, string] = ['ann', 'bob'];

let stack: Stack;
let server: GameServer;
let db: Db;

beforeAll(async () => {
  stack = await storiesStack();
  server = await GameServer.start(stack, { serverId: 'calibration-server', build });
  db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
});
afterAll(async () => {
  await db?.$disconnect();
  await server?.stop();
});

async function searchIn(pool: string, playerId: string): Promise<{ state: string; search: Search }> {
  const row = await db.calibrationSearch.findUniqueOrThrow({ where: { pool_playerId: { pool, playerId } } });
  return { state: row.state, search: readSearch(row.search) };
}

const searchOf = (playerId: string) => searchIn('duel', playerId);

/** The first message to the players of a ticket. */
const firstMessage = async (ticket: Queued): Promise<string> => (await ticket.until(() => true)).reason;

/** Ann and Bob play; Ann wins. @param meanwhile runs before the result is reported */
async function play(
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<{ words: string[]; matchId: string }> {
  const tickets = await duel(stack, build, names);
  const words = await Promise.all(tickets.map(firstMessage));
  const [ann] = tickets;
  const { sessionId, matchId, team } = await ann.assigned();
  await meanwhile();
  await server.report(sessionId, { winner: team });
  await Promise.all(tickets.map((ticket) => ticket.closed()));
  return { words, matchId };
}

/** The queue receives rating's report of a match beside the updates of its tickets, not before. */
const counted = (matches: number): Promise<void> =>
  until(async () => {
    const searches = await Promise.all(names.map(searchOf));
    return searches.every(({ search }) => search.matches === matches);
  });

const kinds = async (playerId: string): Promise<string[]> =>
  (await stack.operator.ratingHistory('duel', playerId)).changes.map((change) => change.kind).toSorted();

describe('R3 calibration matches', () => {
  it('numbers the matches of newcomers, and sets their levels apart after a result', async () => {
    const { words, matchId } = await play();
    const first = 'You are in the queue; this is calibration match 1 of 3.';
    expect(words).toEqual([first, first]);
    await counted(1);
    const [ann, bob] = await Promise.all(names.map(searchOf));
    expect(ann?.search.probe).toBeGreaterThan(25);
    expect(bob?.search.probe).toBeLessThan(25);
    expect((await stack.operator.match(matchId)).why.join(' ')).toContain('Newcomers among them: 2,');
  });

  it('loses no match if every queue process is killed during it', async () => {
    const probes = await Promise.all(names.map(async (name) => (await searchOf(name)).search.probe));
    const { words, matchId } = await play(async () => {
      for (const [name, pid] of Object.entries(await stack.pids()))
        if (name.startsWith('queue')) process.kill(pid, 'SIGKILL');
    });
    const second = 'You are in the queue; this is calibration match 2 of 3.';
    expect(words).toEqual([second, second]);
    await counted(2);
    // Teams are formed by the tested levels, not by the ratings; a ticket has four digits of them.
    const sums = (await stack.operator.match(matchId)).split?.sums.toSorted((a, b) => b - a);
    for (const [i, probe] of probes.toSorted((a, b) => b - a).entries())
      expect(sums?.[i]).toBeCloseTo(probe, 3);
  });

  it('ends with one ledger event of the rating found, with its reason', async () => {
    await play();
    await until(async () =>
      (await Promise.all(names.map(searchOf))).every(({ state }) => state === 'seeded'),
    );
    const searches = new Map(
      await Promise.all(names.map(async (name) => [name, (await searchOf(name)).search] as const)),
    );
    for (const [i, playerId] of names.entries()) {
      const found = conclude(searches.get(playerId) as Search, playerId, searches);
      // Two newcomers only reveal who of them is better: half of the uncertainty remains.
      expect(found.sigma).toBeGreaterThan((25 / 3) * Math.SQRT1_2);
      expect(found.mu > 25).toBe(playerId === 'ann');
      expect(await stack.operator.rating('duel', playerId)).toMatchObject({ matches: 3 });
      const { mu, sigma } = await stack.operator.rating('duel', playerId);
      // Computed in another order of players: equal except for rounding.
      expect(mu).toBeCloseTo(found.mu, 2);
      expect(sigma).toBeCloseTo(found.sigma, 2);
      expect(await kinds(playerId)).toEqual(['match', 'match', 'match', 'seed']);
      const { changes } = await stack.operator.ratingHistory('duel', playerId);
      expect(changes.find((change) => change.kind === 'seed')).toMatchObject({
        by: 'calibration',
        reason: `3 calibration matches, ${i === 0 ? 3 : 0} won: ${found.mu.toFixed(1)} ± ${found.sigma.toFixed(1)}.`,
      });
    }
  });

  it('is then over: the next match uses the ratings', async () => {
    const ratings = await Promise.all(names.map((name) => stack.operator.rating('duel', name)));
    const { words, matchId } = await play();
    expect(words).toEqual(['You are in the queue.', 'You are in the queue.']);
    const match = await stack.operator.match(matchId);
    expect(match.why.join(' ')).not.toContain('Newcomers');
    expect(match.split?.sums.toSorted((a, b) => b - a)).toEqual(ratings.map(({ mu }) => mu));
    for (const playerId of names) {
      expect(await kinds(playerId)).toEqual(['match', 'match', 'match', 'match', 'seed']);
      expect((await searchOf(playerId)).state).toBe('seeded');
    }
  });
});

describe('R3 ten calibration matches', () => {
  const [pool, queue, newcomer, rival] = ['ten', 'ten', 'ten-nell', 'ten-rick'];
  const matches = 10;
  /** The newcomer's hidden skill: weaker opponents lose, others win. */
  const truth = 33;

  interface Played {
    /** The level at which the newcomer was queued and split. */
    readonly level: number;
    readonly won: boolean;
    readonly said: string;
    readonly why: string;
    /** The number of matches until a division is shown, before and after. */
    readonly left: readonly [number, number];
    readonly division: unknown;
    readonly match: MatchView;
  }

  /** The newcomer queues, meets an opponent of the tested level, and wins or loses by the hidden skill. */
  async function playOne(): Promise<Played> {
    const before = await (await stack.player(newcomer)).rating(pool);
    const ticket = await queueUp(stack, [newcomer], { queue, build });
    let waiting: WaitingTicket | undefined;
    await until(async () => {
      const all = (await stack.operator.waiting(queue)).waiting;
      waiting = all.find(({ ticketId }) => ticketId === ticket.ticketId);
      return waiting !== undefined;
    });
    if (!waiting) throw new Error('it was found just now');
    const { skill: level, why } = waiting;
    const won = level < truth;
    await stack.operator.setRating(pool, rival, { mu: level, sigma: 1, reason: 'As good as is tried.' });
    const other = await queueUp(stack, [rival], { queue, build });
    const { sessionId, matchId, team } = await ticket.assigned();
    await server.report(sessionId, { winner: won ? team : 1 - team });
    await Promise.all([ticket, other].map((each) => each.closed()));
    const after = await ticket.leader.rating(pool);
    return {
      level,
      won,
      why,
      said: await firstMessage(ticket),
      left: [before.matchesUntilShown, after.matchesUntilShown],
      division: after.division,
      match: await stack.operator.match(matchId),
    };
  }

  const levelIn = ({ match }: Played): number =>
    match.players.find(({ playerId }) => playerId === newcomer)?.level ?? NaN;

  it('each test a level, higher after a win and lower after a loss; the tenth sets the rating found', async () => {
    await stack.operator.createPool({ name: pool, shadowMatches: matches });
    // Players two points apart never meet: these meet because the opponent is at the tested level.
    const close = [{ afterSeconds: 0, limit: 2 }];
    await openQueue(stack, queue, { pool, skillWindow: close, teamGap: close, calibrationMatches: matches });

    const played: Played[] = [];
    let probe = 25;
    for (let n = 1; n <= matches; n++) {
      const one = await playOne();
      played.push(one);
      expect(one.said).toBe(`You are in the queue; this is calibration match ${n} of ${matches}.`);
      expect(one.why).toMatch(new RegExp(` This is calibration match ${n} of ${matches}\\.$`));
      expect(one.left).toEqual([matches - n + 1, matches - n]);
      expect(one.division !== null).toBe(n === matches);
      // The level of the search, not rating's estimate meanwhile; a ticket has four digits of it.
      expect(one.level).toBeCloseTo(probe, 3);
      expect(levelIn(one)).toBeCloseTo(probe, 3);
      expect(one.match.why.join(' ')).toContain('Newcomers among them: 1,');
      await until(async () => (await searchIn(pool, newcomer)).search.matches === n);
      ({ probe } = (await searchIn(pool, newcomer)).search);
    }

    for (const [i, { level, won }] of played.slice(0, -1).entries()) {
      const next = played[i + 1]?.level ?? NaN;
      if (won) expect(next).toBeGreaterThan(level);
      else expect(next).toBeLessThan(level);
    }
    const wins = played.filter(({ won }) => won).length;
    expect(wins).toBeGreaterThan(0);
    expect(wins).toBeLessThan(matches);

    await until(async () => (await searchIn(pool, newcomer)).state === 'seeded');
    const learned = await stack.operator.rating(pool, newcomer);
    // Within half of the newcomers' spread, and more certain than it.
    expect(Math.abs(learned.mu - truth)).toBeLessThan(25 / 6);
    expect(learned.sigma).toBeLessThan(25 / 6);
    const { changes } = await stack.operator.ratingHistory(pool, newcomer);
    expect(changes.filter(({ kind }) => kind === 'match')).toHaveLength(matches);
    expect(changes.filter(({ kind }) => kind === 'seed')).toMatchObject([
      {
        by: 'calibration',
        reason: `10 calibration matches, ${wins} won: ${learned.mu.toFixed(1)} ± ${learned.sigma.toFixed(1)}.`,
      },
    ]);

    const eleventh = await playOne();
    expect(eleventh.said).toBe('You are in the queue.');
    expect(eleventh.why).toBe(`1 of 2 players are here (build ${build}): 1 more must queue.`);
    expect(eleventh.level).toBeCloseTo(learned.mu, 3);
    expect(levelIn(eleventh)).toBe(learned.mu);
    expect(eleventh.match.why.join(' ')).not.toContain('Newcomers');
    expect((await searchIn(pool, newcomer)).search.matches).toBe(matches);
  });
});
