import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrivedServer,
  decideRequests,
  noSpares,
  onTheirWay,
  type OpenRequest,
  type ServerRequest,
  sparesOf,
  type SpareSlots,
  surplusServers,
  wantsSpares,
} from './capacity.js';
import type { Capacity } from '../schemas/capacity.js';

const aPlace = (over: Partial<Capacity> = {}): Capacity => ({
  build: '1',
  region: 'eu',
  servers: 1,
  slots: 4,
  used: 0,
  free: 4,
  overloadedServers: 0,
  overloadedSlots: 0,
  drainingServers: 0,
  drainingSlots: 0,
  emptyServers: 1,
  ...over,
});
const aRequest = (over: Partial<ServerRequest> = {}): ServerRequest => ({
  build: '1',
  regions: ['eu'],
  slots: 4,
  at: 100,
  until: 1_000,
  ...over,
});
const came = (over: Partial<ArrivedServer> = {}): ArrivedServer => ({
  build: '1',
  region: 'eu',
  slots: 2,
  at: 200,
  ...over,
});
const spares = (elsewhere: number, byRegion: Record<string, number> = {}): SpareSlots => ({
  byRegion: new Map(Object.entries(byRegion)),
  elsewhere,
});
const left = (requests: ServerRequest[], arrived: ArrivedServer[], now = 500): number[] =>
  onTheirWay(requests, arrived, now).map((each) => each.onTheirWay);

describe('slots on their way', () => {
  it.each<[string, ServerRequest[], ArrivedServer[], number[]]>([
    ['all, when nothing came', [aRequest()], [], [4]],
    ['less those that came', [aRequest()], [came()], [2]],
    ['none beyond the request', [aRequest()], [came({ slots: 9 })], [0]],
    ['not those of a request that is over', [aRequest({ until: 500 })], [], []],
    ['not less one that came before the request', [aRequest()], [came({ at: 99 })], [4]],
    ['not less one of another build', [aRequest()], [came({ build: '2' })], [4]],
    ['not less one of another region', [aRequest()], [came({ region: 'us' })], [4]],
    ['less one of any region', [aRequest({ regions: [] })], [came({ region: 'us' })], [2]],
    ['less one of a region of several', [aRequest({ regions: ['us', 'eu'] })], [came()], [2]],
    ['of the oldest request first', [aRequest({ at: 150, slots: 1 }), aRequest()], [came()], [2, 1]],
    [
      'a large server is not of two requests',
      [aRequest(), aRequest({ at: 150 })],
      [came({ slots: 8 })],
      [0, 4],
    ],
  ])('are %s', (_, requests, arrived, expected) => {
    expect(left(requests, arrived)).toEqual(expected);
  });
});

describe('requests for servers', () => {
  const waits = (waitingMatches: number, ...regions: string[]) => ({ build: '1', regions, waitingMatches });
  const coming = (slots: number, ...regions: string[]): OpenRequest => ({
    ...aRequest({ regions, slots }),
    onTheirWay: slots,
  });
  const asked = (
    over: Partial<Parameters<typeof decideRequests>[0]>,
    kept: SpareSlots = noSpares,
    builds?: string[],
  ): string[] =>
    decideRequests({ places: [], waiting: [], requests: [], ...over }, kept, builds).map(
      ({ build, regions, waitingMatches, slots, servers }) =>
        `${build}@${regions.join('/')}: ${slots} in ${servers} for ${waitingMatches}`,
    );

  it.each<[string, string[], string[]]>([
    ['a slot for each match that waits', asked({ waiting: [waits(3, 'eu')] }), ['1@eu: 3 in 3 for 3']],
    [
      'servers by the slots of those that are there',
      asked({ waiting: [waits(9, 'eu')], places: [aPlace({ free: 0 })] }),
      ['1@eu: 9 in 3 for 9'],
    ],
    [
      'less what is on its way to the best region',
      asked({ waiting: [waits(3, 'eu', 'us')], requests: [coming(2, 'eu')] }),
      ['1@eu/us: 1 in 1 for 3'],
    ],
    [
      'nothing when enough is on its way',
      asked({ waiting: [waits(3, 'eu')], requests: [coming(1, 'eu'), coming(2, 'eu', 'us')] }),
      [],
    ],
    [
      'what is on its way once',
      asked({ waiting: [waits(2, 'eu'), waits(2, 'eu', 'us')], requests: [coming(3, 'eu')] }),
      ['1@eu/us: 1 in 1 for 2'],
    ],
    ['nothing without spares', asked({ places: [aPlace({ free: 0 })] }), []],
    ['spares that are missing', asked({ places: [aPlace({ free: 1 })] }, spares(6)), ['1@eu: 5 in 2 for 0']],
    ['none that are free', asked({ places: [aPlace()] }, spares(4)), []],
    [
      'none that are on their way',
      asked({ places: [aPlace({ free: 1 })], requests: [coming(3, 'eu')] }, spares(4)),
      [],
    ],
    [
      'spares beside waiting matches, in one request',
      asked(
        { places: [aPlace({ free: 0 })], waiting: [waits(2, 'eu')], requests: [coming(1, 'eu')] },
        spares(3),
      ),
      ['1@eu: 4 in 1 for 2'],
    ],
    [
      'spares by region, and none where none are wanted',
      asked(
        { places: [aPlace({ free: 0 }), aPlace({ region: 'us', free: 0 })] },
        spares(2, { us: 0, asia: 1 }),
      ),
      ['1@asia: 1 in 1 for 0', '1@eu: 2 in 1 for 0'],
    ],
    [
      'no spares of a build whose servers all drain',
      asked({ places: [aPlace({ servers: 0, slots: 0, free: 0, drainingServers: 2 })] }, spares(4)),
      [],
    ],
    [
      'spares of a named build in a named region without a server',
      asked({}, spares(2, { eu: 1 }), ['9']),
      ['9@eu: 1 in 1 for 0'],
    ],
  ])('ask for %s', (_, actual, expected) => {
    expect(actual.toSorted()).toEqual(expected);
  });

  it('reach the target with one request, and ask for nothing more while it is on its way or when it came', () => {
    const region = fc.constantFrom('eu', 'us', 'asia');
    const build = fc.constantFrom('1', '2');
    const place = fc
      .record({
        build,
        region,
        slots: fc.integer({ min: 1, max: 40 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ share, slots, ...rest }) => aPlace({ ...rest, slots, free: Math.floor(slots * share) }));
    const group = fc.record({
      build,
      regions: fc.uniqueArray(region),
      waitingMatches: fc.integer({ min: 1, max: 9 }),
    });
    const keyOf = (at: { build: string; region: string }): string => `${at.build}/${at.region}`;
    fc.assert(
      fc.property(
        fc.uniqueArray(place, { selector: keyOf }),
        fc.uniqueArray(group, { selector: (each) => JSON.stringify([each.build, ...each.regions]) }),
        fc.integer({ min: 0, max: 20 }),
        fc.dictionary(region, fc.integer({ min: 0, max: 20 })),
        (places, waiting, elsewhere, named) => {
          const kept = spares(elsewhere, named);
          const wanted = decideRequests({ places, waiting, requests: [] }, kept);
          const requests = wanted.map((each) => ({ ...each, at: 1, until: 9, onTheirWay: each.slots }));
          expect(decideRequests({ places, waiting, requests }, kept)).toEqual([]);
          for (const { slots, servers } of wanted) {
            expect(slots).toBeGreaterThan(0);
            expect(servers).toBeGreaterThan(0);
          }
          // Once the servers came and the matches are placed on them, the spare slots are free.
          const slotsAt = (at: { build: string; region: string }): number =>
            wanted
              .filter((each) => each.build === at.build && each.regions.join() === at.region)
              .reduce((sum, each) => sum + each.slots - each.waitingMatches, 0);
          for (const each of places)
            expect(each.free + slotsAt(each)).toBeGreaterThanOrEqual(sparesOf(kept, each.region));
        },
      ),
    );
  });
});

describe('servers that may be stopped', () => {
  it.each<[string, Partial<Capacity>, number, number]>([
    ['empty ones beyond the spares', { servers: 4, slots: 16, free: 12, emptyServers: 3 }, 4, 2],
    ['all empty ones without spares', { servers: 4, slots: 16, free: 12, emptyServers: 3 }, 0, 3],
    ['none that play', { servers: 4, slots: 16, free: 12, emptyServers: 0 }, 0, 0],
    ['none of the spares', { servers: 1, slots: 4, free: 4, emptyServers: 1 }, 1, 0],
    ['none where there are none', { servers: 0, slots: 0, free: 0, emptyServers: 0 }, 0, 0],
  ])('are %s', (_, place, kept, expected) => {
    expect(surplusServers(aPlace(place), spares(kept))).toBe(expected);
  });
});

it('no spares are wanted when every number is 0', () => {
  expect([noSpares, spares(0, { eu: 0 }), spares(1), spares(0, { eu: 1 })].map(wantsSpares)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
