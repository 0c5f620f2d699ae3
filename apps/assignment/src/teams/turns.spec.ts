import { TooBusy } from '@muster/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Turns } from './turns.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when told to. */
class Job {
  begun = false;
  end: (answer: string) => void = () => undefined;
  private readonly done = new Promise<string>((resolve) => (this.end = resolve));

  readonly work = (): Promise<string> => {
    this.begun = true;
    return this.done;
  };
}

describe('Turns', () => {
  it('refuses a call whose time limit ends while it waits, as soon as it ends', async () => {
    const turns = new Turns(1, 8);
    const long = new Job();
    const running = turns.run(5_000, long.work);
    const short = new Job();
    const refused = turns.run(100, short.work).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await refused).toBeInstanceOf(TooBusy);

    long.end('answer');
    await expect(running).resolves.toBe('answer');
    expect(short.begun).toBe(false);
  });

  it('begins calls in order of arrival, and as many at once as allowed', async () => {
    const turns = new Turns(2, 8);
    const jobs = [new Job(), new Job(), new Job(), new Job()];
    const answers = jobs.map(({ work }) => turns.run(1_000, work));
    expect(jobs.map(({ begun }) => begun)).toEqual([true, true, false, false]);

    jobs[1]?.end('second');
    await answers[1];
    await vi.waitFor(() => expect(jobs[2]?.begun).toBe(true));
    expect(jobs[3]?.begun).toBe(false);
    for (const { end } of jobs) end('done');
    await expect(Promise.all(answers)).resolves.toEqual(['done', 'second', 'done', 'done']);
    // All places are free again.
    await expect(turns.run(0, async () => 'next')).resolves.toBe('next');
  });

  it('refuses at once what would have to wait behind too many, and goes on after work that fails', async () => {
    const turns = new Turns(1, 1);
    const [first, second] = [new Job(), new Job()];
    const running = [turns.run(1_000, first.work), turns.run(1_000, second.work)];
    await expect(turns.run(1_000, new Job().work)).rejects.toThrow(/wait to be solved already/);
    first.end('a');
    second.end('b');
    await expect(Promise.all(running)).resolves.toEqual(['a', 'b']);
    await expect(turns.run(0, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(turns.run(0, async () => 'c')).resolves.toBe('c');
  });
});
