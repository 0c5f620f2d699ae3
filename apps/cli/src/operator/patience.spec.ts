import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import { patiently, type Patience } from './patience.js';

const says = (status: number): MusterProblem =>
  new MusterProblem({ type: 'about:blank', title: 'no', status, detail: 'no' });

/** A call that fails so often and then answers, each try taking a second. */
function flaky(failures: number, error: Error) {
  const seen = { tries: 0, waits: 0, now: 0 };
  const stopping = new AbortController();
  const patience: Patience = {
    forMs: 60_000,
    stop: stopping.signal,
    onWait: () => seen.waits++,
    now: () => seen.now,
  };
  const call = (): Promise<string> => {
    seen.now += 1_000;
    return ++seen.tries > failures ? Promise.resolve('answer') : Promise.reject(error);
  };
  return { seen, stopping, result: () => patiently(call, patience) };
}

describe('patiently', () => {
  it.each([says(502), says(503), says(504), new TypeError('fetch failed')])(
    'bridges a restart (%s)',
    async (error) => {
      const { seen, result } = flaky(5, error);
      expect(await result()).toBe('answer');
      expect(seen).toMatchObject({ tries: 6, waits: 1 });
    },
  );

  it.each([400, 401, 404, 409, 500])('takes a %i for an answer', async (status) => {
    const { seen, result } = flaky(5, says(status));
    await expect(result()).rejects.toThrow('no');
    expect(seen).toMatchObject({ tries: 1, waits: 0 });
  });

  it('ends some time', async () => {
    const { seen, result } = flaky(1_000, says(502));
    await expect(result()).rejects.toThrow('no');
    expect(seen.tries).toBe(60);
  });

  it('ends when it is stopped', async () => {
    const { seen, stopping, result } = flaky(5, says(502));
    stopping.abort();
    await expect(result()).rejects.toThrow('no');
    expect(seen.tries).toBe(1);
  });
});
