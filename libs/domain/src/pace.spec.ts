import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';
import { Pace, type ElapsedTime } from './pace.js';

/** Time that passes only while somebody sleeps. */
class FakeTime implements ElapsedTime {
  private nowMs = 1_000;
  readonly slept: number[] = [];

  now(): number {
    return this.nowMs;
  }

  pass(ms: number): void {
    this.nowMs += ms;
  }

  sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.nowMs += ms;
    return this.arrived();
  }

  arrived(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

/** A batcher with a pace of 50 ms whose batches take a given time. */
function paced(maxItems = 32) {
  const time = new FakeTime();
  const pace = new Pace(50, time);
  const batches: (readonly [atMs: number, items: readonly number[]])[] = [];
  const run = async (items: readonly number[]): Promise<readonly number[]> => {
    batches.push([time.now() - 1_000, items]);
    time.pass(10);
    return items;
  };
  return {
    time,
    batches,
    batcher: new Batcher(maxItems, pace.counting(run), () => true, pace.next),
  };
}

describe('a pace', () => {
  it('begins the first batch at once, and the next an interval after its beginning', async () => {
    const { batcher, batches } = paced();
    await batcher.submit('', 1);
    await Promise.all([2, 3].map((item) => batcher.submit('', item)));
    expect(batches).toEqual([
      [0, [1]],
      [50, [2, 3]],
    ]);
  });

  it('delays no request that comes after the interval', async () => {
    const { batcher, batches, time } = paced();
    await batcher.submit('', 1);
    time.pass(60);
    await batcher.submit('', 2);
    expect(time.slept).toEqual([]);
    expect(batches).toEqual([
      [0, [1]],
      [70, [2]],
    ]);
  });

  it('counts a full batch, which does not wait', async () => {
    const { batcher, batches } = paced(2);
    await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.submit('', item)));
    expect(batches).toEqual([
      [0, [1, 2]],
      [10, [3, 4]],
      [60, [5]],
    ]);
  });
});
