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
  it('batches the items of one turn and those that arrive while a batch runs, in order', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    const answers = [1, 2].map((item) => batcher.submit('key', item));
    await open();
    expect(runs).toEqual([[1, 2]]);
    answers.push(...[3, 4, 5, 6].map((item) => batcher.submit('key', item)));
    for (let i = 0; i < 3; i++) await open();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6].map((item) => `did ${item}`));
    expect(runs).toEqual([[1, 2], [3, 4, 5], [6]]);
    const later = batcher.submit('key', 7);
    await open();
    await open();
    expect(await later).toBe('did 7');
  });

  it('begins a batch when it is told to, and at once when it is full', async () => {
    const { runs, run, open } = gated();
    let begin = (): void => undefined;
    const gather = (): Promise<void> => new Promise((resolve) => (begin = resolve));
    const batcher = new Batcher(3, run, isUnlucky, gather);
    void batcher.submit('key', 1);
    await open();
    void batcher.submit('key', 2);
    expect(runs).toEqual([]);
    begin();
    await open();
    for (const item of [3, 4, 5]) void batcher.submit('key', item);
    await open();
    expect(runs).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('runs keys independently', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    void batcher.submit('one', 1);
    void batcher.submit('other', 2);
    await open();
    expect(runs).toEqual([[1], [2]]);
  });

  it('halves a batch that fails, so that only the faulty item is rejected', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(4, run, isUnlucky);
    const answers = Promise.allSettled([1, 2, 13, 4].map((item) => batcher.submit('key', item)));
    for (let i = 0; i < 7; i++) await open();
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(runs).toEqual([[1, 2, 13, 4], [1, 2], [13, 4], [13], [4]]);
  });

  it('rejects the whole batch if no item caused the error', async () => {
    const { runs, run, open } = gated();
    const batcher = new Batcher(3, run, isUnlucky);
    const answers = Promise.allSettled([1, 2, 99].map((item) => batcher.submit('key', item)));
    for (let i = 0; i < 3; i++) await open();
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toEqual([[1, 2, 99]]);
  });
});
