import { createDb, type Db } from '@muster/db';
import { defaultQueues } from '@muster/matchmaking';
import { conclude, readSearch, type Search } from '@muster/skill';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { duel, type Queued } from '../support/party.js';
import { Stack } from '../support/stack.js';

const build = 'calibration-1';
const names: [string, string] = ['ann', 'bob'];

let folder: string;
let stack: Stack;
let server: GameServer;
let db: Db;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-calibration-'));
  const file = join(folder, 'queues.json');
  const anybody = [{ afterSeconds: 0, limit: null }];
  const duels = defaultQueues.find((rules) => rules.name === '1v1');
  const short = { ...duels, skillWindow: anybody, teamGap: anybody, calibrationMatches: 3 };
  await writeFile(file, JSON.stringify([short]));
  stack = await Stack.start([], { env: { QUEUES_FILE: file } });
  server = await GameServer.start(stack, { serverId: 'calibration-server', build });
  db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
});
afterAll(async () => {
  await db?.$disconnect();
  await server?.stop();
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function searchOf(playerId: string): Promise<{ state: string; search: Search }> {
  const row = await db.calibrationSearch.findUniqueOrThrow({
    where: { pool_playerId: { pool: 'duel', playerId } },
  });
  return { state: row.state, search: readSearch(row.search) };
}

/** The first thing that the players of a ticket are told. */
const firstWords = async (ticket: Queued): Promise<string> => (await ticket.until(() => true)).reason;

/** Ann and Bob play; Ann wins. @param meanwhile what happens before the result comes */
async function play(
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<{ words: string[]; matchId: string }> {
  const tickets = await duel(stack, build, names);
  const words = await Promise.all(tickets.map(firstWords));
  const [ann] = tickets;
  const { sessionId, matchId, team } = await ann.assigned();
  await meanwhile();
  await server.report(sessionId, { winner: team });
  await Promise.all(tickets.map((ticket) => ticket.closed()));
  return { words, matchId };
}

/** What rating said of a match comes to the queue beside what its tickets hear, not before. */
const counted = (matches: number): Promise<void> =>
  until(async () => {
    const searches = await Promise.all(names.map(searchOf));
    return searches.every(({ search }) => search.matches === matches);
  });

const kinds = async (playerId: string): Promise<string[]> =>
  (await stack.operator.ratingHistory('duel', playerId)).changes.map((change) => change.kind).toSorted();

describe('R3 calibration matches', () => {
  it('says to newcomers which match it is, and tries them out apart from one another after a result', async () => {
    const { words, matchId } = await play();
    const first = 'You are in the queue; this is calibration match 1 of 3.';
    expect(words).toEqual([first, first]);
    await counted(1);
    const [ann, bob] = await Promise.all(names.map(searchOf));
    expect(ann?.search.probe).toBeGreaterThan(25);
    expect(bob?.search.probe).toBeLessThan(25);
    expect((await stack.operator.match(matchId)).why.join(' ')).toContain('Newcomers among them: 2,');
  });

  it('loses no match when every queue process is killed while it is played', async () => {
    const probes = await Promise.all(names.map(async (name) => (await searchOf(name)).search.probe));
    const { words, matchId } = await play(async () => {
      for (const [name, pid] of Object.entries(await stack.pids()))
        if (name.startsWith('queue')) process.kill(pid, 'SIGKILL');
    });
    const second = 'You are in the queue; this is calibration match 2 of 3.';
    expect(words).toEqual([second, second]);
    await counted(2);
    // The teams were made of what was tried, not of the ratings; a ticket says it to four digits.
    const sums = (await stack.operator.match(matchId)).split?.sums.toSorted((a, b) => b - a);
    for (const [i, probe] of probes.toSorted((a, b) => b - a).entries())
      expect(sums?.[i]).toBeCloseTo(probe, 3);
  });

  it('ends with the rating that was found, in the ledger once, with its reason', async () => {
    await play();
    await until(async () =>
      (await Promise.all(names.map(searchOf))).every(({ state }) => state === 'seeded'),
    );
    for (const [i, playerId] of names.entries()) {
      const { search } = await searchOf(playerId);
      const found = conclude(search);
      expect(await stack.operator.rating('duel', playerId)).toMatchObject({ matches: 3 });
      const { mu, sigma } = await stack.operator.rating('duel', playerId);
      expect(mu).toBeCloseTo(found.mu, 9);
      expect(sigma).toBeCloseTo(found.sigma, 9);
      expect(await kinds(playerId)).toEqual(['match', 'match', 'match', 'seed']);
      const { changes } = await stack.operator.ratingHistory('duel', playerId);
      expect(changes.find((change) => change.kind === 'seed')).toMatchObject({
        by: 'calibration',
        reason: `3 calibration matches, ${i === 0 ? 3 : 0} won: ${found.mu.toFixed(1)} ± ${found.sigma.toFixed(1)}.`,
      });
    }
  });

  it('is over then: the next match is like any other, by the ratings', async () => {
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
