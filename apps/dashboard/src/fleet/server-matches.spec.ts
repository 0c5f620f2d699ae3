import { expect, it } from 'vitest';
import { runningOn, type Match } from './server-matches.js';

const page = (servers: string[], next: string | null) =>
  Promise.resolve({
    matches: servers.map((serverId, i) => ({ matchId: `mat_${i}`, serverId }) as Match),
    next,
  });

it('looks at running matches until each session of the server is found', async () => {
  const asked: string[] = [];
  const read = (cursor: string) => {
    asked.push(cursor);
    return page(['a', 'b', 'a'], `${asked.length}`);
  };
  const { matches, isWhole } = await runningOn(read, 'a', 3);
  expect(matches).toHaveLength(4);
  expect(isWhole).toBe(true);
  expect(asked).toEqual(['', '1']);
});

it('says when it gave up, and asks nothing for a server without sessions', async () => {
  expect((await runningOn((cursor) => page(['b'], `${cursor}x`), 'a', 1)).isWhole).toBe(false);
  expect((await runningOn(() => page(['b'], null), 'a', 1)).isWhole).toBe(true);
  expect(await runningOn(() => Promise.reject(new Error('asked')), 'a', 0)).toEqual({
    matches: [],
    isWhole: true,
  });
});
