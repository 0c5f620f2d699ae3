import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

/** A `run` that waits to be released, and records its items. */
function gated() {
  const runs: number[][] = [];
  const gates: (() => void)[] = [];
  const run = async (items: readonly number[]): Promise<string[]> => {
    runs.push([...items]);
    await new Promise<void>((resolve) => gates.push(resolve));
    if (items.includes(13)) throw new RangeError('unlucky');
    if (items.includes(99)) throw new Error('gone');
    return items.map((item) => `did ${item}`);
  };
  const open = async (): Promise<void> => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, run, open };
}

const isUnlucky = (error: unknown): boolean => error instanceof RangeError;

describe('Batcher', () => {
  it('runs the first immediately, and batches the items that arrive meanwhile, in order', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    const answers = [1, 2, 3, 4, 5].map((item) => batcher.submit('key', item));
    expect(runs).toEqual([[1]]);
    await open();
    expect(runs).toEqual([[1], [2, 3, 4]]);
    await open();
    await open();
    expect(await Promise.all(answers)).toEqual(['did 1', 'did 2', 'did 3', 'did 4', 'did 5']);
    expect(runs).toEqual([[1], [2, 3, 4], [5]]);
    const later = batcher.submit('key', 6);
    await open();
    expect(await later).toBe('did 6');
  });

  it('runs keys independently', () => {
    const { runs, run } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    void batcher.submit('one', 1);
    void batcher.submit('other', 2);
    expect(runs).toEqual([[1], [2]]);
  });

  it('runs each item alone if a batch fails, so that only the faulty one is rejected', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    const answers = Promise.allSettled([1, 2, 13, 4].map((item) => batcher.submit('key', item)));
    for (let i = 0; i < 5; i++) await open();
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(runs).toEqual([[1], [2, 13, 4], [2], [13], [4]]);
  });

  it('rejects the whole batch if no item caused the error', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    const answers = Promise.allSettled([1, 2, 99].map((item) => batcher.submit('key', item)));
    for (let i = 0; i < 3; i++) await open();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(runs).toEqual([[1], [2, 99]]);
  });
});
