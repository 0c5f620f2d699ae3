import { describe, expect, it } from 'vitest';
import { oneByOne } from './one-by-one.js';

/** A list of which a page has two. */
function listOf(ids: readonly string[]) {
  const left = [...ids];
  return {
    page: () => Promise.resolve(left.slice(0, 2)),
    remove: (id: string) => left.splice(left.indexOf(id), 1),
    add: (id: string) => left.unshift(id),
  };
}

describe('acting on all of a list', () => {
  it('reads page after page until none is left', async () => {
    const list = listOf(['a', 'b', 'c']);
    const acted: string[] = [];
    const last = await lastOf(
      oneByOne(list.page, (id) => {
        acted.push(id);
        list.remove(id);
        return Promise.resolve(id === 'b' ? 'gone' : 'done');
      }),
    );
    expect(acted).toEqual(['a', 'b', 'c']);
    expect(last).toEqual({ done: 2, gone: 1 });
  });

  it('acts on each once, though it comes back', async () => {
    const list = listOf(['a']);
    let calls = 0;
    const last = await lastOf(
      oneByOne(list.page, () => {
        calls += 1;
        return Promise.resolve('done');
      }),
    );
    expect(calls).toBe(1);
    expect(last).toEqual({ done: 1, gone: 0 });
  });

  it('stops at the first error', async () => {
    const list = listOf(['a', 'b']);
    await expect(lastOf(oneByOne(list.page, () => Promise.reject(new Error('away'))))).rejects.toThrow(
      'away',
    );
  });
});

async function lastOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  let last: T | undefined;
  for await (const each of all) last = each;
  return last;
}
