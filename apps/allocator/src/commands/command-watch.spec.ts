import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandWatch, type CommandCursor, type NewestCommand } from './command-watch.js';

const cursor = (i: number): CommandCursor => ({ serverId: `s${i}`, incarnation: 1, after: i });
/** Resolves at the time-out or when the signal aborts, as without wake-ups. */
const deaf = {
  wake: () => undefined,
  wait: (_topic: string, ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const end = (): void => (clearTimeout(timer), resolve());
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
    }),
};

interface Answers {
  newest?: () => Promise<NewestCommand[]>;
  withNews?: (asked: readonly CommandCursor[]) => Promise<number[]>;
}

function watch({ newest, withNews }: Answers) {
  const asked: (readonly CommandCursor[])[] = [];
  const looks = vi.fn<() => Promise<NewestCommand[]>>(newest ?? (() => Promise.resolve([])));
  const store = {
    newestCommands: looks,
    withCommands(cursors: readonly CommandCursor[]) {
      asked.push(cursors);
      return withNews?.(cursors) ?? Promise.resolve([]);
    },
  };
  const watching = new CommandWatch(deaf, store, { now: () => 0 });
  const woken: string[] = [];
  const wait = (i: number, ms = 60_000, signal = new AbortController().signal): void =>
    void watching.wait(cursor(i), ms, signal).then(() => woken.push(`s${i}`));
  return { asked, looks, woken, wait };
}

describe('servers that wait for commands, without wake-ups', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are woken by new commands after their cursors, which are looked for together', async () => {
    const newest = [
      { serverId: 's2', seq: 3 },
      { serverId: 's3', seq: 3 },
      { serverId: 'elsewhere', seq: 9 },
    ];
    const { asked, looks, woken, wait } = watch({ newest: () => Promise.resolve(newest) });
    for (const i of [1, 2, 3]) wait(i);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(looks).toHaveBeenCalledTimes(1);
    // The third has received its third command.
    expect(woken).toEqual(['s2']);
    expect(asked).toEqual([]);
  });

  it('are asked for together every ten seconds, each since it waits', async () => {
    const { asked, woken, wait } = watch({ withNews: () => Promise.resolve([1]) });
    for (const i of [1, 2, 3]) wait(i);
    await vi.advanceTimersByTimeAsync(5_000);
    wait(4);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual([[cursor(1), cursor(2), cursor(3)]]);
    expect(woken).toEqual(['s2']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual([[cursor(1), cursor(2), cursor(3)], [cursor(4)], [cursor(1), cursor(3)]]);
  });

  it('are asked for no longer once their calls ended', async () => {
    const { asked, looks, woken, wait } = watch({});
    const call = new AbortController();
    wait(1, 1_500);
    wait(2, 10_000, call.signal);
    wait(3, 10_000, AbortSignal.abort());
    await vi.advanceTimersByTimeAsync(1_500);
    call.abort();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(woken).toEqual(['s3', 's1', 's2']);
    expect(asked).toEqual([]);
    expect(looks).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Answers, number]>([
    ['the look', { newest: () => Promise.reject(new Error('down')) }, 1_000],
    ['the question', { withNews: () => Promise.reject(new Error('down')) }, 10_000],
  ])('are all woken when %s fails: each learns of the error by itself', async (_, answers, afterMs) => {
    const { woken, wait } = watch(answers);
    for (const i of [1, 2]) wait(i);
    await vi.advanceTimersByTimeAsync(afterMs);
    expect(woken).toEqual(['s1', 's2']);
  });
});
