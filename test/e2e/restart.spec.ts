import { createDb } from '@muster/db';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../support/database.js';
import { queueUp } from '../support/party.js';
import { TestRedis } from '../support/redis.js';
import { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

// Each story waits for whole systems to start and to end.
describe('C23 the embedded run', { timeout: 240_000 }, () => {
  const dirs: string[] = [];
  afterAll(async () => {
    for (const dir of dirs) await rm(dir, { recursive: true, force: true });
  });

  it('keeps its Postgres data and its keys over a stop and a second start', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-restart-'));
    dirs.push(dataDir);
    const first = await Stack.start([], { dataDir });
    const { matchId } = await first.operator.reportMatch({
      eventId: 'before',
      pool: 'default',
      teams: [['ann'], ['ben']],
      ranks: [1, 2],
    });
    const key = first.run.operatorKey;
    await first.stop();

    const second = await Stack.start([], { dataDir });
    try {
      expect(second.run.operatorKey).toBe(key);
      const again = await second.operator.reportMatch({
        eventId: 'before',
        pool: 'default',
        teams: [['ann'], ['ben']],
        ranks: [1, 2],
      });
      expect(again).toMatchObject({ matchId, counted: false });
      const { ratings } = await second.operator.ratings('default');
      expect(ratings.map((rating) => [rating.playerId, rating.matches])).toEqual([
        ['ann', 1],
        ['ben', 1],
      ]);
    } finally {
      await second.stop();
    }
  });

  it('is still found after its launcher was killed and a second start failed, which says how to end it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-left-'));
    dirs.push(dataDir);
    const first = await Stack.start([], { dataDir });
    const pids = Object.values(await first.pids());
    try {
      process.kill(first.run.launcher, 'SIGKILL');
      const refusal: unknown = await Stack.start([], { dataDir }).catch((error: unknown) => error);
      expect(await first.pids()).toEqual(first.run.pids);
      await expect(first.operator.pools()).resolves.toBeDefined();

      const [, list = ''] = /`kill ([\d ]+)`/.exec(String(refusal)) ?? [];
      const named = list.split(' ').map(Number);
      expect(named.toSorted()).toEqual(pids.toSorted());
      for (const pid of named) process.kill(pid, 'SIGTERM');
      await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([]);
    } finally {
      for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
    }
    const second = await Stack.start([], { dataDir });
    await second.stop();
  });

  it('uses stores of your own by URL, starts none then, and leaves them running', async () => {
    const redis = await TestRedis.start();
    try {
      const databaseUrl = await emptyDatabase((await sharedStack()).run.databaseUrl);
      const guest = await Stack.start([], { env: { REDIS_URL: redis.url, DATABASE_URL: databaseUrl } });
      try {
        expect(guest.run.redisEngine).toBe('yours');
        expect(Object.keys(guest.run.pids).toSorted()).toEqual([
          'allocator',
          'assignment',
          'edge',
          'queue',
          'rating',
        ]);
        const report = { eventId: 'shared', pool: 'default', teams: [['cat'], ['dan']], ranks: [2, 1] };
        expect((await guest.operator.reportMatch(report)).counted).toBe(true);
        await queueUp(guest, ['eve'], { queue: '1v1', build: 'guest' });
      } finally {
        await guest.stop();
      }
      const db = createDb(databaseUrl, { maxConnections: 1 });
      expect(await db.match.findMany({ select: { externalId: true, state: true } })).toEqual([
        { externalId: 'shared', state: 'rated' },
      ]);
      await db.$disconnect();
      const client = new Redis(redis.url);
      expect(await client.keys('muster:*:player:eve')).toHaveLength(1);
      client.disconnect();
    } finally {
      await redis.stop();
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
