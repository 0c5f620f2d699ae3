import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Stack } from '../support/stack.js';

describe('C23 the embedded run', () => {
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

    const second = await Stack.start(['--replicas', '2'], { dataDir });
    try {
      expect(second.run.operatorKey).toBe(key);
      expect(second.run.replicas).toHaveLength(8);
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

  it('uses stores of your own by URL, and starts none then', async () => {
    const mine = await Stack.start();
    try {
      const guest = await Stack.start([], {
        env: { REDIS_URL: mine.run.redisUrl, DATABASE_URL: mine.run.databaseUrl },
      });
      try {
        expect(guest.run.redisEngine).toBe('yours');
        expect(Object.keys(guest.run.pids)).not.toContain('postgres');
        const report = { eventId: 'shared', pool: 'default', teams: [['cat'], ['dan']], ranks: [2, 1] };
        expect((await guest.operator.reportMatch(report)).counted).toBe(true);
        expect((await mine.operator.reportMatch(report)).counted).toBe(false);
      } finally {
        await guest.stop();
      }
    } finally {
      await mine.stop();
    }
  });
});
