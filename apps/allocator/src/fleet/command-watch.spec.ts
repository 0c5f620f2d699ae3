import type { CommandCursor } from '@muster/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandWatch } from './command-watch.js';

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

function watch(answer: (asked: readonly CommandCursor[]) => Promise<readonly number[]>) {
  const asked: (readonly CommandCursor[])[] = [];
  const watching = new CommandWatch(deaf, (cursors) => {
    asked.push(cursors);
    return answer(cursors);
  });
  const woken: string[] = [];
  const wait = (i: number, ms = 10_000, signal = new AbortController().signal): void =>
    void watching.wait(cursor(i), ms, signal).then(() => woken.push(`s${i}`));
  return { asked, woken, wait };
}

describe('servers that wait for commands, without wake-ups', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are asked for together, and those with commands are woken', async () => {
    const { asked, woken, wait } = watch(() => Promise.resolve([1]));
    for (const i of [1, 2, 3]) wait(i);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([[cursor(1), cursor(2), cursor(3)]]);
    expect(woken).toEqual(['s2']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked[1]).toEqual([cursor(1), cursor(3)]);
  });

  it('are asked for no longer once their calls ended', async () => {
    const { asked, woken, wait } = watch(() => Promise.resolve([]));
    const call = new AbortController();
    wait(1, 1_500);
    wait(2, 10_000, call.signal);
    wait(3, 10_000, AbortSignal.abort());
    await vi.advanceTimersByTimeAsync(1_500);
    call.abort();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(woken).toEqual(['s3', 's1', 's2']);
    expect(asked).toEqual([[cursor(1), cursor(2)]]);
  });

  it('are all woken when the question fails: each learns of the error by itself', async () => {
    const { woken, wait } = watch(() => Promise.reject(new Error('down')));
    for (const i of [1, 2]) wait(i);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(woken).toEqual(['s1', 's2']);
  });
});
