import { describe, expect, it } from 'vitest';
import { allHearSince, ranWithoutPause, silentMs, type Heard, type ReplicaHearing } from './hearing.js';

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

describe('how long a server has been silent while servers could be heard', () => {
  /** A group of which half were heard until so long ago, without a gap since so long ago. */
  const heard = (untilAgoMs: number, sinceAgoMs = 900_000): Heard => ({
    since: now - sinceAgoMs,
    until: now - untilAgoMs,
  });

  it.each<[string, number, Heard[], number]>([
    ['the others are heard', 40_000, [heard(1_000)], 39_000],
    ['all fell silent at once', 60_000, [heard(60_000)], 0],
    ['most of its group were silent before it', 60_000, [heard(61_000)], 0],
    ['fewer than half are heard without a gap', 40_000, [heard(0, -Infinity)], 0],
    ['it is the only one, for long', 300_001, [heard(300_001)], 300_001],
    ['all are silent for long', 301_000, [heard(300_500)], 301_000],
    ['the others came back a while ago', 60_000, [heard(0, 8_000)], 8_000],
    ['its region is silent', 60_000, [heard(0), heard(59_000)], 1_000],
    ['it was heard just now', 0, [heard(500)], 0],
  ])('%s', (_, agoMs, groups, expected) => {
    expect(silentMs(now - agoMs, groups, now, { massSilenceMs: 300_000 })).toBe(expected);
  });
});
