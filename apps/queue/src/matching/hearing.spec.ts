import type { ClockReading } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { Hearing } from './hearing.js';

const graceMs = 10_000;

/**
 * A replica with clocks that the test moves: the monotonic one, the machine's time of day, and the one that replicas share.
 */
function aReplica() {
  const at = { monotonic: 5_000, wall: 1_700_000_000_000, shared: 1_700_000_000_000 };
  const read = (): ClockReading[] => [
    { monotonicMs: at.monotonic, wallMs: at.wall },
    { monotonicMs: at.monotonic, wallMs: at.shared },
  ];
  const hearing = new Hearing({ toleranceMs: 2_000, graceMs }, read);
  const pass = (ms: number): void => {
    for (const clock of ['monotonic', 'wall', 'shared'] as const) at[clock] += ms;
  };
  /** @returns the grace period sent to Redis, and the result */
  const listen = async (tookMs = 1): Promise<[number, string | null]> => {
    let told = -1;
    const answer = await hearing.listen(async (deafMs) => {
      told = deafMs;
      pass(tookMs);
      return 'answer';
    });
    return [told, answer];
  };
  const fail = () =>
    hearing.listen(async () => {
      throw new Error('Redis is away');
    });
  return { at, pass, listen, fail };
}

describe('the hearing of a queue replica', () => {
  it('starts with an outage: it heard nothing before its start', async () => {
    const { pass, listen } = aReplica();
    expect(await listen()).toEqual([graceMs, 'answer']);
    pass(500);
    expect(await listen()).toEqual([0, 'answer']);
  });

  it.each([
    ['its loop stood still', { monotonic: 15_000, wall: 15_000, shared: 15_000 }],
    ['the machine was paused', { monotonic: 0, wall: 15_000, shared: 0 }],
    ['the clock of the machine was set', { monotonic: 500, wall: -3_600_000, shared: 500 }],
    ['the clock of the store jumped', { monotonic: 500, wall: 500, shared: 60_500 }],
  ])('reports an outage when %s', async (_what, by) => {
    const { at, pass, listen } = aReplica();
    await listen();
    for (const clock of ['monotonic', 'wall', 'shared'] as const) at[clock] += by[clock];
    expect(await listen()).toEqual([graceMs, 'answer']);
    pass(500);
    expect(await listen()).toEqual([0, 'answer']);
  });

  it('discards an answer that took too long, and reports the outage with the next request', async () => {
    const { listen } = aReplica();
    await listen();
    expect(await listen(3_000)).toEqual([0, null]);
    expect(await listen(3_000)).toEqual([graceMs, null]);
    expect(await listen()).toEqual([graceMs, 'answer']);
    expect(await listen()).toEqual([0, 'answer']);
  });

  it('reports an outage when requests failed for long, not when one failed', async () => {
    const { pass, listen, fail } = aReplica();
    await listen();
    await expect(fail()).rejects.toThrow('Redis is away');
    pass(500);
    expect(await listen()).toEqual([0, 'answer']);
    for (let i = 0; i < 5; i++) {
      pass(500);
      await expect(fail()).rejects.toThrow('Redis is away');
    }
    expect(await listen()).toEqual([graceMs, 'answer']);
  });
});
