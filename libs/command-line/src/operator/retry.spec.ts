import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import { retryUnavailable, type RetryLimits } from './retry.js';

const problemOf = (status: number): MusterProblem =>
  new MusterProblem({ type: 'about:blank', title: 'no', status, detail: 'no' });

/** A call that fails a number of times and then succeeds; each attempt takes a second. */
function flaky(failures: number, error: Error) {
  const state = { tries: 0, waits: 0, now: 0 };
  const stopping = new AbortController();
  const limits: RetryLimits = {
    limitMs: 60_000,
    stop: stopping.signal,
    onRetry: () => state.waits++,
    now: () => state.now,
  };
  const call = (): Promise<string> => {
    state.now += 1_000;
    return ++state.tries > failures ? Promise.resolve('answer') : Promise.reject(error);
  };
  return { seen: state, stopping, result: () => retryUnavailable(call, limits) };
}

describe('patiently', () => {
  it.each([problemOf(502), problemOf(503), problemOf(504), new TypeError('fetch failed')])(
    'bridges a restart (%s)',
    async (error) => {
      const { seen: state, result } = flaky(5, error);
      expect(await result()).toBe('answer');
      expect(state).toMatchObject({ tries: 6, waits: 1 });
    },
  );

  it.each([400, 401, 404, 409, 500])('does not retry a %i', async (status) => {
    const { seen: state, result } = flaky(5, problemOf(status));
    await expect(result()).rejects.toThrow('no');
    expect(state).toMatchObject({ tries: 1, waits: 0 });
  });

  it('ends at the time limit', async () => {
    const { seen: state, result } = flaky(1_000, problemOf(502));
    await expect(result()).rejects.toThrow('no');
    expect(state.tries).toBe(60);
  });

  it('ends when the signal aborts', async () => {
    const { seen: state, stopping, result } = flaky(5, problemOf(502));
    stopping.abort();
    await expect(result()).rejects.toThrow('no');
    expect(state.tries).toBe(1);
  });
});
