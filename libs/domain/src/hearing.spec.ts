import { describe, expect, it } from 'vitest';
import { allHearSince, ranWithoutPause, type ReplicaHearing } from './hearing.js';

const limits = { toleranceMs: 3_000, goneMs: 60_000 };
const now = 1_000_000;
const replica = (replicaId: string, agoMs: number, hearsSince: number): ReplicaHearing => ({
  replicaId,
  seenAt: now - agoMs,
  hearsSince,
});

describe('since when all replicas hear', () => {
  it.each<[string, ReplicaHearing[], number | null]>([
    ['there is no replica', [], null],
    ['one hears', [replica('a', 100, 500)], 500],
    ['the most recent start counts', [replica('a', 100, 500), replica('b', 0, 900_000)], 900_000],
    ['a short gap is no outage', [replica('a', 3_000, 500)], 500],
    ['one is missing: calls to it may hang', [replica('a', 3_001, 500), replica('b', 0, 500)], null],
    ['the only one is missing', [replica('a', 45_000, 500)], null],
    [
      'one is gone: it no longer counts from then on',
      [replica('a', 70_000, 500), replica('b', 0, 500)],
      now - 10_000,
    ],
    ['one is ahead of this clock', [replica('a', -300_000, now + 300_000)], now + 300_000],
  ])('%s', (_, replicas, since) => {
    expect(allHearSince(replicas, now, limits)).toBe(since);
  });
});

describe('whether a process ran without a pause', () => {
  const before = { monotonicMs: 50, wallMs: now };
  it.each<[string, number, number, boolean]>([
    ['both clocks advanced by a second', 1_000, 1_000, true],
    ['it was stopped: both clocks advanced', 12_000, 12_000, false],
    ['the machine was paused: the monotonic clock stood still', 100, 12_000, false],
    ['its clock was set forward', 500, 300_500, false],
    ['its clock was set back', 500, -299_500, false],
  ])('%s', (_, monotonic, wall, ran) => {
    const after = { monotonicMs: before.monotonicMs + monotonic, wallMs: before.wallMs + wall };
    expect(ranWithoutPause(before, after, limits.toleranceMs)).toBe(ran);
  });
});
