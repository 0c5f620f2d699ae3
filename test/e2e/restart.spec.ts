import { afterAll, describe, expect, it } from 'vitest';
import { embeddedStack, removeEmbeddedStack, startAgain } from './embedded-stack.js';

// The README's story begins with a fresh system, which these stories then stop, kill and start again.
afterAll(removeEmbeddedStack, 120_000);

describe('the README', async () => void (await import('./readme.story.js')));

// Each story waits for whole systems to start and to end.
describe('C23 the embedded run', { timeout: 240_000 }, () => {
  const report = { eventId: 'before', pool: 'default', teams: [['ann'], ['ben']], ranks: [1, 2] };

  it('keeps its Postgres data and its keys over a stop and a second start', async () => {
    const first = await embeddedStack();
    const { matchId } = await first.operator.reportMatch(report);
    const key = first.run.operatorKey;
    await first.stop();

    const second = await startAgain();
    expect(second.run.operatorKey).toBe(key);
    expect(await second.operator.reportMatch(report)).toMatchObject({ matchId, counted: false });
    const { ratings } = await second.operator.ratings('default');
    expect(ratings.map((rating) => [rating.playerId, rating.matches])).toEqual([
      ['ann', 1],
      ['ben', 1],
    ]);
  });

  it('is still found after its launcher was killed and another start failed, which says how to end it', async () => {
    const left = await embeddedStack();
    const pids = Object.values(await left.pids());
    try {
      process.kill(left.run.launcher, 'SIGKILL');
      const refusal: unknown = await startAgain().catch((error: unknown) => error);
      expect(await left.pids()).toEqual(left.run.pids);
      await expect(left.operator.pools()).resolves.toBeDefined();

      const [, list = ''] = /`kill ([\d ]+)`/.exec(String(refusal)) ?? [];
      const named = list.split(' ').map(Number);
      expect(named.toSorted()).toEqual(pids.toSorted());
      for (const pid of named) process.kill(pid, 'SIGTERM');
      await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([]);
    } finally {
      for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
    }
    // In one process, which is sooner there.
    await startAgain(['--single']);
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
