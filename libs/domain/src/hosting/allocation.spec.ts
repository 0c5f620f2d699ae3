import { describe, expect, it } from 'vitest';
import {
  decideAllocation,
  decideAllocationRelease,
  repeatAfterMs,
  stepOf,
  type DueAllocation,
} from './allocation.js';

const due = (over: Partial<DueAllocation> = {}): DueAllocation => ({
  id: 'alc_1',
  build: 'b',
  region: 'eu',
  reason: 'r',
  state: 'asked',
  attempt: 1,
  giveUpAt: 100_000,
  ...over,
});

describe('stepOf', () => {
  it.each([
    { state: 'asked', attempt: 1, now: 0, step: 'ask' },
    { state: 'asked', attempt: 4, now: 99_999, step: 'ask' },
    { state: 'asked', attempt: 1, now: 100_000, step: 'drop' },
    { state: 'asked', attempt: 2, now: 100_000, step: 'give-up' },
    { state: 'pending', attempt: 2, now: 0, step: 'poll' },
    { state: 'pending', attempt: 2, now: 100_000, step: 'give-up' },
    { state: 'allocated', attempt: 2, now: 100_000, step: 'give-up' },
    { state: 'releasing', attempt: 1, now: 0, step: 'release' },
  ] as const)('of $state at attempt $attempt and $now ms is $step', ({ state, attempt, now, step }) => {
    expect(stepOf(due({ state, attempt }), now)).toBe(step);
  });
});

describe('decideAllocation', () => {
  const decide = (answer: Parameters<typeof decideAllocation>[1], over = {}, now = 0) =>
    decideAllocation(due(over), answer, now, () => 0);

  it('repeats trouble after a growing pause, but not after the time to give up', () => {
    const trouble = { state: 'unavailable', error: 'down', retryAfterMs: null } as const;
    expect(decide(trouble)).toEqual({ to: 'waits', nextAt: 1_000, error: 'down', pausedUntil: null });
    expect(decide(trouble, { attempt: 3 })).toMatchObject({ nextAt: 4_000 });
    expect(decide(trouble, { attempt: 60 })).toMatchObject({ nextAt: 30_000 });
    expect(decide(trouble, { attempt: 60 }, 90_000)).toMatchObject({ nextAt: 100_000 });
    expect(decide(trouble, {}, 150_000)).toMatchObject({ nextAt: 150_000 });
  });

  it('heeds what the provider asks for, up to ten minutes', () => {
    const busy = (retryAfterMs: number) => ({ state: 'unavailable', error: 'busy', retryAfterMs }) as const;
    expect(decide(busy(7_000))).toMatchObject({ nextAt: 7_000, pausedUntil: 7_000 });
    expect(decide(busy(10 ** 9), { giveUpAt: 10 ** 9 })).toMatchObject({
      nextAt: 600_000,
      pausedUntil: 600_000,
    });
    expect(decide({ state: 'pending', retryAfterMs: 2_000 })).toEqual({ to: 'pending', nextAt: 2_000 });
  });

  it.each([0, 1, -5_000])('asks again after a second at the earliest, also if told %i ms', (retryAfterMs) => {
    expect(decide({ state: 'pending', retryAfterMs })).toMatchObject({ nextAt: 1_000 });
    const busy = { state: 'unavailable', error: 'busy', retryAfterMs } as const;
    expect(decide(busy)).toMatchObject({ nextAt: 1_000, pausedUntil: 1_000 });
    const releasing = due({ state: 'releasing' });
    expect(decideAllocationRelease(releasing, busy, 0, () => 0)).toMatchObject({
      nextAt: 1_000,
      pausedUntil: 1_000,
    });
  });
});

describe('decideAllocationRelease', () => {
  it('is repeated until the provider holds nothing, ever more rarely', () => {
    const decide = (attempt: number) =>
      decideAllocationRelease(due({ state: 'releasing', attempt }), { state: 'held' }, 0, () => 0);
    expect(decide(1)).toMatchObject({ to: 'waits', nextAt: 1_000, pausedUntil: null });
    expect(decide(60)).toMatchObject({ nextAt: 300_000 });
    expect(decideAllocationRelease(due({ state: 'releasing' }), { state: 'released' }, 0, () => 0)).toEqual({
      to: 'released',
    });
  });
});

describe('repeatAfterMs', () => {
  it('adds up to a half at random', () => {
    expect(repeatAfterMs(2, () => 0)).toBe(2_000);
    expect(repeatAfterMs(2, () => 0.999)).toBe(2_999);
  });
});
