import type { QueueRules } from '@muster/domain';
import { connectRedis } from '@muster/redis';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erase, erasedText } from '../../apps/cli/src/player-data/erase.js';
import { exportPlayer } from '../../apps/cli/src/player-data/export.js';
import { holdPlayer, releasePlayer } from '../../apps/cli/src/player-data/hold.js';
import { GameServer } from '../support/game-server.js';
import { ask, jsonOf } from '../support/http.js';
import { queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';
import { createDb } from '../support/prisma.js';

/** Also of its queue and its pool, in which no other story plays. */
const build = 'erasure';
const gone = 'zoe-to-be-erased';
const goneName = 'Zoë of the Erased';
const seasonRules = { keep: 0.5, uncertainty: 0.8, placementMatches: 0 };
let stack: Stack;
let server: GameServer;
let options: { dataDir: string; json: boolean; by: string; realm: string; reason: string };

beforeAll(async () => {
  stack = await storiesStack();
  const { queues } = await stack.operator.queues();
  const { version: _, ...duels } = queues.find(({ name }) => name === '1v1') ?? { version: 0 };
  const rules = { ...duels, name: build, pool: build, calibrationMatches: undefined } as QueueRules;
  await stack.operator.createPool({ name: build });
  await stack.operator.applyRules(build, { rules });
  server = await GameServer.start(stack, { serverId: 'erasure-server', build, slots: 20 });
  options = { dataDir: stack.dataDir, json: false, by: 'olga', realm: 'default', reason: `asked by ${gone}` };
});
afterAll(async () => {
  await server?.stop();
});

const env = (): NodeJS.ProcessEnv => ({
  DATABASE_URL: stack.run.databaseUrl,
  REDIS_URL: stack.run.redisUrl,
});

/** Plays a duel to its rating. */
async function play(names: [string, string]): Promise<void> {
  const [one] = await Promise.all(names.map((name) => queueUp(stack, [name], { queue: build, build })));
  if (!one) throw new Error('nobody plays');
  const { sessionId } = await one.assigned();
  await server.report(sessionId, {
    winner: 0,
    players: names.map((playerId, i) => ({ playerId, stats: { kills: i } })),
  });
  await one.closed();
}

/** Every row of every table, as lines. */
async function rowsOfAll(): Promise<string[]> {
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ text: string }[]>(
      `SELECT to_jsonb(row)::text AS text FROM "${name}" AS row`,
    );
    lines.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  await db.$disconnect();
  return lines;
}

/** Every key of Redis with its serialised value, as lines. */
async function keysOfAll(): Promise<string[]> {
  const redis = connectRedis(stack.run.redisUrl, { name: 'dump', onError: () => undefined });
  const lines: string[] = [];
  for (const key of await redis.keys('*')) {
    const kind = await redis.type(key);
    const value: unknown =
      kind === 'hash'
        ? await redis.hgetall(key)
        : kind === 'string'
          ? await redis.get(key)
          : kind === 'list'
            ? await redis.lrange(key, 0, -1)
            : kind === 'set'
              ? await redis.smembers(key)
              : kind === 'zset'
                ? await redis.zrange(key, '0', '-1')
                : kind === 'stream'
                  ? await redis.xrange(key, '-', '+')
                  : null;
    lines.push(`${key} ${kind}: ${JSON.stringify(value)}`);
  }
  redis.disconnect();
  return lines;
}

async function linesOfLogs(): Promise<string[]> {
  const folder = join(stack.dataDir, 'logs');
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.split('\n'));
}

const naming = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.includes(gone) || line.includes(goneName));

/** The leaderboard once it ranks these players, in any order. */
async function boardOf(players: number): Promise<string[]> {
  for (;;) {
    const { rows } = await stack.operator.leaderboard(build);
    if (rows.length === players) return rows.map(({ playerId }) => playerId);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The final standings before the first season, once all are archived. */
async function archived(): Promise<[number | null, string, string | null | undefined][]> {
  const { standings } = await stack.operator.seasonStandings(build, 0);
  return standings.map(({ rank, playerId, name }) => [rank, playerId, name]);
}

describe('a player who is erased', () => {
  it('in mid-season is in no table, key, job or log, and others keep their ratings', async () => {
    await stack.operator.changePool(build, { shadowMatches: 0, season: seasonRules });
    await play([gone, 'yan']);
    await play(['yan', gone]);
    await play(['yan', 'xia']);
    await stack.operator.namePlayers({ [gone]: goneName, yan: 'Yan' });
    expect(await boardOf(3)).toContain(gone);
    await stack.operator.beginSeason(build, 1, { reason: `${gone} asked for one` });
    expect(await archived()).toContainEqual([expect.any(Number), gone, goneName]);
    await play([gone, 'xia']);
    await play(['yan', 'xia']);
    expect(await boardOf(3)).toContain(gone);
    const zoe = await stack.player(gone);
    await (await stack.player('xia')).avoid(gone, 'match');
    const alone = await queueUp(stack, [gone], { queue: build, build: 'erasure-alone' });
    await expect(erase(gone, options, env(), Date.now())).rejects.toThrow('is queued or in a match');
    await zoe.cancel(alone.ticketId);

    const data = await exportPlayer(gone, options, env(), Date.now());
    expect(data.tables['match_player']?.rows).toHaveLength(3);
    expect(data.tables['rating']?.rows).toMatchObject([{ pool: build, matches: 3 }]);
    expect(data.tables['player_name']?.rows).toMatchObject([{ name: goneName }]);
    expect(data.tables['season_standing']?.rows).toMatchObject([{ season: 0, matches: 2 }]);
    expect(naming(await rowsOfAll()).length).toBeGreaterThan(5);
    expect(naming(await keysOfAll()).some((line) => line.includes(`:board:${build}:`))).toBe(true);
    await holdPlayer(gone, { ...options, reason: 'A court asked.' }, env(), Date.now());
    await expect(erase(gone, options, env(), Date.now())).rejects.toThrow('legal hold');
    expect(await releasePlayer(gone, options, env())).toBe(true);

    const all = async () => (await stack.operator.ratings(build, { limit: 100 })).ratings;
    const others = async () => (await all()).filter(({ playerId }) => ['yan', 'xia'].includes(playerId));
    const before = await others();
    const standings = await archived();
    const erased = await erase(gone, options, env(), Date.now());
    expect(erasedText(gone, erased).join('\n')).toContain(erased.alias);
    expect(naming(await rowsOfAll())).toEqual([]);
    expect(naming(await keysOfAll())).toEqual([]);
    expect(naming(await linesOfLogs())).toEqual([]);

    expect(await boardOf(2)).toEqual(expect.arrayContaining(['xia', 'yan']));
    // Left out of the standings, in which others keep their ranks.
    expect(await archived()).toEqual(standings.filter(([, playerId]) => playerId !== gone));

    expect(await others()).toEqual(before);
    await stack.operator.rebuildPool(build, { reason: 'A test.' });
    while ((await stack.operator.rebuilds(build)).rebuilds[0]?.state === 'running')
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await others()).toEqual(before);
    expect((await all()).map(({ playerId }) => playerId).toSorted()).toEqual([erased.alias, 'xia', 'yan']);
    expect(await boardOf(2)).toEqual(expect.arrayContaining(['xia', 'yan']));
    expect(naming(await keysOfAll())).toEqual([]);
  });

  it('is a stranger who can play again, and a second erasure finds nothing more to do', async () => {
    await play([gone, 'yan']);
    const rating = await ask(stack.url, `/v1/ratings/${build}/${gone}`, { token: stack.run.operatorKey });
    expect(jsonOf<{ matches: number }>(rating).matches).toBe(1);
    await erase(gone, options, env(), Date.now());
    const again = await erase(gone, options, env(), Date.now());
    expect(erasedText(gone, again)[0]).toBe(`Nothing was stored of ${gone}.`);
  });
});
