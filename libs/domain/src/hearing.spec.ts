import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  allHearSince,
  groupsOf,
  heardOf,
  ranWithoutPause,
  silentMs,
  type AwaitedServer,
  type ReplicaHearing,
} from './hearing.js';

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
  const silence = { silenceMs: 10_000, massSilenceMs: 300_000 };
  const server = (serverId: string, agoMs: number, over: Partial<AwaitedServer> = {}): AwaitedServer => ({
    serverId,
    region: 'eu',
    heardBy: null,
    heardAt: now - agoMs,
    heardSince: 0,
    ...over,
  });
  const judged = (one: AwaitedServer, others: readonly AwaitedServer[]): number => {
    const all = [one, ...others];
    const groups = groupsOf(one, all).map((group) => heardOf(group, now, silence));
    return silentMs(one.heardAt, groups, now, silence);
  };
  const back = (agoMs: number): Partial<AwaitedServer> => ({ heardSince: now - agoMs });

  it.each<[string, number, AwaitedServer[], number]>([
    ['the other one is heard', 40_000, [server('b', 1_000)], 39_000],
    ['one of three is heard: most are silent', 40_000, [server('b', 39_000), server('c', 0)], 0],
    ['all fell silent at once', 60_000, [server('b', 58_000), server('c', 62_000)], 0],
    ['it is the only one', 60_000, [], 0],
    ['it is the only one, for long', 300_001, [], 300_001],
    ['all are silent for long', 301_000, [server('b', 300_500)], 301_000],
    [
      'the others came back a while ago',
      60_000,
      [server('b', 0, back(9_000)), server('c', 0, back(8_000))],
      8_000,
    ],
    [
      'one of three others came back',
      60_000,
      [server('b', 0, back(9_000)), server('c', 60_000), server('d', 60_000)],
      0,
    ],
    [
      'its region is silent',
      60_000,
      [server('b', 59_000), ...['c', 'd', 'e'].map((id) => server(id, 0, { region: 'us' }))],
      0,
    ],
    [
      'it is the only one of its region',
      60_000,
      ['c', 'd'].map((id) => server(id, 0, { region: 'us' })),
      60_000,
    ],
    ['it was heard just now', 0, [server('b', 500)], 0],
  ])('%s', (_, agoMs, others, expected) => {
    expect(judged(server('a', agoMs), others)).toBe(expected);
  });

  it('counts only for the servers of an allocator that hears others', () => {
    const by = (id: string, agoMs: number, heardBy: string, more = {}) =>
      server(id, agoMs, { heardBy, region: id, ...more });
    const healthy = ['c', 'd', 'e'].map((id) => by(id, 0, 'two'));
    expect(judged(by('a', 60_000, 'one'), [by('b', 61_000, 'one'), ...healthy])).toBe(0);
    expect(judged(by('a', 60_000, 'one'), [by('b', 0, 'one', back(5_000)), ...healthy])).toBe(5_000);
    expect(judged(by('a', 60_000, 'one'), healthy)).toBe(60_000);
  });

  it('is never more than the silence itself, and nothing while fewer than half are heard', () => {
    const some = fc.record({
      agoMs: fc.nat(120_000),
      sinceMs: fc.nat(600_000),
      region: fc.constantFrom('eu', 'us'),
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 8 }), (each) => {
        const servers = each.map(({ agoMs, sinceMs, region }, i) =>
          server(`s${i}`, agoMs, { region, heardSince: now - agoMs - sinceMs }),
        );
        const [one, ...others] = servers;
        if (!one) return;
        const ms = judged(one, others);
        expect(ms).toBeLessThanOrEqual(now - one.heardAt);
        const heard = servers.filter(({ heardAt }) => heardAt > now - silence.silenceMs).length;
        if (2 * heard < servers.length) expect(ms).toBe(0);
      }),
    );
  });
});
