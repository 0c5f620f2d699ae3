import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseServers,
  freeOrdinals,
  type FreeServer,
  rankServers,
  type WantedSlot,
} from './choose-servers.js';

const aServer = (serverId: string, over: Partial<FreeServer> = {}): FreeServer => ({
  serverId,
  region: 'eu',
  build: '1',
  incarnation: 1,
  slots: 2,
  cpuLoad: 0,
  used: 0,
  ordinals: [0, 1],
  ...over,
});
const aMatch = (over: Partial<WantedSlot> = {}): WantedSlot => ({
  build: '1',
  regions: ['eu'],
  avoid: [],
  ...over,
});
const chosen = (matches: readonly WantedSlot[], servers: readonly FreeServer[]) =>
  chooseServers(matches, servers).map((pick) => pick && `${pick.serverId}/${pick.ordinal}`);

describe('chooseServers', () => {
  it.each<[string, FreeServer[], (string | null)[]]>([
    ['the larger free share', [aServer('a', { used: 1, ordinals: [1] }), aServer('b')], ['b/0']],
    ['the less busy processor', [aServer('a', { cpuLoad: 0.5 }), aServer('b', { cpuLoad: 0.4 })], ['b/0']],
    [
      'the one that reports its load',
      [aServer('a', { cpuLoad: null }), aServer('b', { cpuLoad: 3 })],
      ['b/0'],
    ],
    ['the nearer region', [aServer('a', { region: 'us' }), aServer('b')], ['b/0']],
    ['the first by name', [aServer('b'), aServer('a')], ['a/0']],
    ['none of another build', [aServer('a', { build: '2' })], [null]],
    ['none of another region', [aServer('a', { region: 'asia' })], [null]],
    ['none that failed it', [aServer('failed'), aServer('z', { used: 1, ordinals: [1] })], ['z/1']],
    ['none when all slots are taken', [], [null]],
  ])('takes %s', (_, servers, expected) => {
    expect(chosen([aMatch({ regions: ['eu', 'us'], avoid: ['failed'] })], servers)).toEqual(expected);
  });

  it('takes any region when the match names none', () => {
    expect(chosen([aMatch({ regions: [] })], [aServer('a', { region: 'asia' })])).toEqual(['a/0']);
  });

  it('counts the slots it has just assigned', () => {
    expect(
      chosen(
        Array.from({ length: 5 }, () => aMatch()),
        [aServer('a'), aServer('b')],
      ),
    ).toEqual(['a/0', 'b/0', 'a/1', 'b/1', null]);
  });

  it('assigns no slot twice, only fitting ones, and none only when none is left', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const server = fc
      .record({
        region: name,
        build: name,
        slots: fc.integer({ min: 1, max: 4 }),
        cpuLoad: fc.double({ min: 0, max: 2, noNaN: true }),
      })
      .chain((each) =>
        fc
          .uniqueArray(fc.integer({ min: 0, max: each.slots - 1 }), {
            minLength: 1,
            maxLength: each.slots,
          })
          .map((ordinals) => ({
            ...each,
            ordinals: ordinals.toSorted(),
            used: each.slots - ordinals.length,
          })),
      );
    const servers = fc
      .array(server, { maxLength: 5 })
      .map((all) => all.map((each, i) => ({ ...each, serverId: `s${i}`, incarnation: i })));
    const match = fc.record({
      build: name,
      regions: fc.uniqueArray(name),
      avoid: fc.uniqueArray(fc.constantFrom<string>('s0', 's1', 's2')),
    });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), servers, (matches, free) => {
        const picks = chooseServers(matches, free);
        const given = new Set<string>();
        for (const [i, { build, regions, avoid }] of matches.entries()) {
          const fits = free.filter(
            (each) =>
              each.build === build &&
              (regions.length === 0 || regions.includes(each.region)) &&
              !avoid.includes(each.serverId),
          );
          const left = fits.flatMap(({ serverId, ordinals }) =>
            ordinals.map((ordinal) => `${serverId}/${ordinal}`).filter((slot) => !given.has(slot)),
          );
          const pick = picks[i];
          if (!pick) expect(left).toEqual([]);
          else expect(left).toContain(`${pick.serverId}/${pick.ordinal}`);
          if (pick) given.add(`${pick.serverId}/${pick.ordinal}`);
        }
      }),
    );
  });
});

describe('rankServers', () => {
  const ranked = (servers: readonly FreeServer[], busy: string[]) =>
    rankServers([aMatch()], servers, undefined, new Set(busy)).map((each) => each?.serverId ?? null);

  it.each<[string, FreeServer[], string[], string | null]>([
    ['one that is loaded as little', [aServer('a'), aServer('z', { cpuLoad: 1 })], ['a'], 'z'],
    ['none that is loaded more', [aServer('a'), aServer('z', { used: 1 })], ['a'], 'a'],
    ['the first of several that are busy', [aServer('a'), aServer('z')], ['a', 'z'], 'a'],
    ['none that is full', [aServer('a', { used: 2 })], [], null],
  ])('takes instead of a busy server %s', (_, servers, busy, expected) => {
    expect(ranked(servers, busy)).toEqual([expected]);
  });
});

describe('freeOrdinals', () => {
  it.each<[number, number[], number, number[]]>([
    [4, [], 2, [0, 1]],
    [4, [0, 2], 9, [1, 3]],
    [2, [0, 1], 1, []],
    [2, [5], 2, [0]],
    [0, [], 1, []],
  ])('of %i slots without %j, at most %i: %j', (slots, taken, count, expected) => {
    expect(freeOrdinals(slots, taken, count)).toEqual(expected);
  });
});
