import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  equallyNearMs,
  explainPick,
  freeOrdinals,
  type LoadedServer,
  placementPolicies,
  type PlacementPolicy,
  policyNamed,
  rankServers,
  strainOf,
  trialPlace,
  type WantedSlot,
} from './choose-servers.js';
import { doubts } from '../servers/trust.js';

const aServer = (serverId: string, over: Partial<LoadedServer> = {}): LoadedServer => ({
  serverId,
  region: 'eu',
  build: '1',
  incarnation: 1,
  slots: 2,
  cpuLoad: 0,
  used: 0,
  ...over,
});
const aMatch = (over: Partial<WantedSlot> = {}): WantedSlot => ({
  build: '1',
  regions: ['eu'],
  anywhere: over.regions?.length === 0,
  latencyMs: null,
  avoid: [],
  ...over,
});
const chosen = (matches: readonly WantedSlot[], servers: readonly LoadedServer[], busy: string[] = []) =>
  rankServers(matches, servers, new Set(busy)).map((each) => each?.serverId ?? null);

describe('rankServers', () => {
  it.each<[string, LoadedServer[], (string | null)[]]>([
    ['the larger free share', [aServer('a', { used: 1 }), aServer('b')], ['b']],
    ['the less busy processor', [aServer('a', { cpuLoad: 0.5 }), aServer('b', { cpuLoad: 0.4 })], ['b']],
    ['the one that reports its load', [aServer('a', { cpuLoad: null }), aServer('b', { cpuLoad: 3 })], ['b']],
    ['the nearer region', [aServer('a', { region: 'us' }), aServer('b')], ['b']],
    ['the first by name', [aServer('b'), aServer('a')], ['a']],
    ['none of another build', [aServer('a', { build: '2' })], [null]],
    ['none of another region', [aServer('a', { region: 'asia' })], [null]],
    ['none that failed it', [aServer('failed'), aServer('z', { used: 1 })], ['z']],
    ['none when all slots are taken', [], [null]],
  ])('takes %s', (_, servers, expected) => {
    expect(chosen([aMatch({ regions: ['eu', 'us'], avoid: ['failed'] })], servers)).toEqual(expected);
  });

  it('takes any region when the match names none', () => {
    expect(chosen([aMatch({ regions: [] })], [aServer('a', { region: 'asia' })])).toEqual(['a']);
  });

  it('counts the slots it has just assigned', () => {
    const matches = Array.from({ length: 5 }, () => aMatch());
    expect(chosen(matches, [aServer('a'), aServer('b')])).toEqual(['a', 'b', 'a', 'b', null]);
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
      .chain((each) => fc.nat({ max: each.slots }).map((used) => ({ ...each, used })));
    const servers = fc
      .array(server, { maxLength: 5 })
      .map((all) => all.map((each, i) => ({ ...each, serverId: `s${i}`, incarnation: i })));
    const match = fc
      .record({
        build: name,
        regions: fc.uniqueArray(name),
        avoid: fc.uniqueArray(fc.constantFrom<string>('s0', 's1', 's2')),
      })
      .map(aMatch);
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), servers, (matches, all) => {
        const free = new Map(all.map(({ serverId, slots, used }) => [serverId, slots - used]));
        const picks = chosen(matches, all);
        for (const [i, { build, regions, avoid }] of matches.entries()) {
          const left = all.flatMap(({ serverId, ...each }) =>
            each.build === build &&
            (regions.length === 0 || regions.includes(each.region)) &&
            !avoid.includes(serverId) &&
            (free.get(serverId) ?? 0) > 0
              ? [serverId]
              : [],
          );
          const pick = picks[i] ?? null;
          if (pick === null) expect(left).toEqual([]);
          else expect(left).toContain(pick);
          if (pick !== null) free.set(pick, (free.get(pick) ?? 0) - 1);
        }
      }),
    );
  });

  it.each<[string, LoadedServer[], string[], string | null]>([
    ['one that is loaded as little', [aServer('a'), aServer('z', { cpuLoad: 1 })], ['a'], 'z'],
    ['none that is loaded more', [aServer('a'), aServer('z', { used: 1 })], ['a'], 'a'],
    ['the first of several that are busy', [aServer('a'), aServer('z')], ['a', 'z'], 'a'],
    ['none that is full', [aServer('a', { used: 2 })], [], null],
  ])('takes instead of a busy server %s', (_, servers, busy, expected) => {
    expect(chosen([aMatch()], servers, busy)).toEqual([expected]);
  });
});

const aLoadedServer = (serverId: string, over: Partial<LoadedServer> = {}): LoadedServer =>
  aServer(serverId, { slots: 4, ...over });

describe('the policies', () => {
  const picked = (
    policy: PlacementPolicy,
    servers: readonly LoadedServer[],
    matches = 1,
    over: Partial<WantedSlot> = {},
  ): string[] =>
    rankServers(
      Array.from({ length: matches }, () => aMatch({ regions: ['eu', 'us'], policy, ...over })),
      servers,
    ).map((each) => each?.serverId ?? 'none');
  const half = aLoadedServer('half', { used: 2 });
  const far = aLoadedServer('far', { region: 'us' });

  it.each<[PlacementPolicy, string, string[], string[]]>([
    [
      'spread',
      'the least loaded',
      picked('spread', [half, far, aLoadedServer('some', { used: 1 })]),
      ['far'],
    ],
    ['pack', 'the fullest', picked('pack', [far, aLoadedServer('some', { used: 1 }), half]), ['half']],
    ['latency-first', 'the best region', picked('latency-first', [far, half]), ['half']],
    [
      'latency-first',
      'the least loaded of the best region',
      picked('latency-first', [far, half, aLoadedServer('some', { used: 1 })]),
      ['some'],
    ],
    [
      'latency-first',
      'the next region when the best is full',
      picked('latency-first', [far, half], 4),
      ['half', 'half', 'far', 'far'],
    ],
    [
      'latency-first',
      'the least loaded when any region will do',
      picked('latency-first', [half, far], 1, { regions: [] }),
      ['far'],
    ],
    [
      'pack',
      'one server until it is full, then the next',
      picked('pack', [aLoadedServer('a', { slots: 2 }), aLoadedServer('b', { slots: 2 })], 5),
      ['b', 'b', 'a', 'a', 'none'],
    ],
    ['pack', 'of empty ones that of the better region', picked('pack', [far, aLoadedServer('z')]), ['z']],
    [
      'pack',
      'of equally full ones the busier',
      picked('pack', [aLoadedServer('z'), aLoadedServer('a', { cpuLoad: 0.5 })]),
      ['a'],
    ],
    [
      'spread',
      'of equally full ones that with the healthier ticks',
      picked('spread', [
        aLoadedServer('a', { cpuLoad: 0.1, tickLoad: 0.7 }),
        aLoadedServer('z', { cpuLoad: 0.6 }),
      ]),
      ['z'],
    ],
  ])('%s takes %s', (_, __, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it.each(placementPolicies)('%s takes no overloaded server, even if no other is free', (policy) => {
    const hot = aLoadedServer('hot', { overloaded: true });
    expect(picked(policy, [hot])).toEqual(['none']);
    expect(picked(policy, [hot, half])).toEqual(['half']);
  });

  it('pack waits for a busy server instead of beginning another', () => {
    const servers = [aLoadedServer('a'), aLoadedServer('b')];
    const ranked = (policy: PlacementPolicy) =>
      rankServers([aMatch({ policy })], servers, new Set([policy === 'pack' ? 'b' : 'a']))[0]?.serverId;
    expect([ranked('pack'), ranked('spread'), ranked('latency-first')]).toEqual(['b', 'b', 'b']);
  });

  it('choose among the servers at their end of an index as among all', () => {
    const server = fc.record({
      region: fc.constantFrom('eu', 'us'),
      slots: fc.integer({ min: 1, max: 4 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      cpuLoad: fc.constantFrom(0, 0.25, 0.5),
      tickLoad: fc.constantFrom(null, 0.3),
    });
    const servers = fc
      .array(server, { maxLength: 20 })
      .map((all) =>
        all.map(({ share, slots, ...each }, i) =>
          aLoadedServer(`s${i}`, { ...each, slots, used: Math.min(slots - 1, Math.floor(share * slots)) }),
        ),
      );
    const match = fc.record({
      regions: fc.uniqueArray(fc.constantFrom('eu', 'us')),
      latencyMs: fc.constantFrom(
        null,
        new Map([['eu', 20]]),
        new Map([
          ['eu', 90],
          ['us', 20],
        ]),
      ),
      avoid: fc.uniqueArray(fc.constantFrom('s1', 's2', 's3')),
    });
    fc.assert(
      fc.property(
        servers,
        fc.array(match, { maxLength: 6 }),
        fc.constantFrom(...placementPolicies),
        (all, wants, policy) => {
          const matches = wants.map((each) => aMatch({ ...each, policy }));
          const many = matches.length + new Set(wants.flatMap(({ avoid }) => avoid)).size;
          const sign = policy === 'pack' ? -1 : 1;
          const read = ['eu', 'us'].flatMap((region) =>
            all
              .filter((each) => each.region === region)
              .toSorted(
                (a, b) =>
                  sign *
                  (a.used / a.slots - b.used / b.slots ||
                    strainOf(a) - strainOf(b) ||
                    (a.serverId < b.serverId ? -1 : 1)),
              )
              .slice(0, many),
          );
          const names = (some: readonly LoadedServer[]) =>
            rankServers(matches, some).map((each) => each?.serverId ?? null);
          expect(names(read)).toEqual(names(all));
        },
      ),
    );
  });

  it.each(placementPolicies)('%s sends nobody farther while a nearer region has room', (policy) => {
    const regions = ['eu', 'us', 'asia', 'mars'] as const;
    const server = fc.record({ region: fc.constantFrom(...regions), used: fc.integer({ min: 0, max: 3 }) });
    const latencies = fc
      .tuple(...regions.slice(0, 3).map(() => fc.integer({ min: 0, max: 60 })))
      .map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(server, { maxLength: 8 }), latencies, fc.nat(12), (drawn, all, count) => {
        const servers = drawn.map((each, i) => aLoadedServer(`s${i}`, each));
        const latencyMs = new Map(all.map((ms, i) => [regions[i] ?? '', ms]));
        const msTo = ({ region }: LoadedServer): number => latencyMs.get(region) ?? Infinity;
        const free = new Map(servers.map(({ serverId, slots, used }) => [serverId, slots - used]));
        const match = aMatch({ regions: regions.slice(0, 3), anywhere: true, latencyMs, policy });
        for (const pick of rankServers(
          Array.from({ length: count }, () => match),
          servers,
        )) {
          const room = servers.filter(({ serverId }) => (free.get(serverId) ?? 0) > 0);
          expect(pick !== null).toBe(room.length > 0);
          if (!pick) continue;
          const band = policy === 'latency-first' ? 0 : equallyNearMs;
          expect(msTo(pick)).toBeLessThanOrEqual(Math.min(...room.map(msTo)) + band);
          free.set(pick.serverId, (free.get(pick.serverId) ?? 0) - 1);
        }
      }),
    );
  });

  it('say why they took a server', () => {
    const server = aLoadedServer('s', { region: 'us', used: 1, cpuLoad: 0.25, tickLoad: 0.372 });
    const regions = ['eu', 'us'];
    const params = { region: 'us', slots: 4, used: 1, load: 37 };
    const latencyMs = new Map([
      ['eu', 20],
      ['us', 30.4],
    ]);
    expect(explainPick({ regions, latencyMs }, server)).toEqual({
      code: 'placement.by-spread',
      params: { ...params, latency: 30, equalMs: equallyNearMs },
    });
    expect(explainPick({ regions, latencyMs: null, policy: 'pack' }, server)).toEqual({
      code: 'placement.by-pack',
      params: { ...params, latency: null, equalMs: equallyNearMs },
    });
    expect(explainPick({ regions, latencyMs, policy: 'latency-first' }, server)).toEqual({
      code: 'placement.by-latency',
      params: { ...params, place: 2 },
    });
  });

  it('are spread when the name is none of theirs', () => {
    expect(['pack', 'latency-first', 'random', null].map(policyNamed)).toEqual([
      'pack',
      'latency-first',
      'spread',
      'spread',
    ]);
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

describe('doubted servers', () => {
  const doubted = (serverId: string, doubt: LoadedServer['doubt'], over: Partial<LoadedServer> = {}) =>
    aServer(serverId, { slots: 100, doubt, ...over });
  const used = aServer('proved', { slots: 4, used: 2 });

  it('come after all others, in the order of the doubt', () => {
    const servers = [
      doubted('silent', doubts.silent),
      doubted('unheard', doubts.unheard),
      doubted('suspected', doubts.suspected),
      used,
    ];
    for (const expected of ['proved', 'suspected', 'unheard', 'silent']) {
      expect(chosen([aMatch()], servers)).toEqual([expected]);
      servers.pop();
    }
  });

  it('are passed over for a proved one in a farther region, newcomers are not', () => {
    const far = aServer('far', { region: 'us' });
    const match = aMatch({
      regions: ['eu', 'us'],
      latencyMs: new Map([
        ['eu', 10],
        ['us', 120],
      ]),
    });
    expect(chosen([match], [doubted('near', doubts.suspected), far])).toEqual(['far']);
    expect(chosen([match], [doubted('near', doubts.newcomer), far])).toEqual(['near']);
  });

  it('that are newcomers get one match at a time in a place, while a proved one is free', () => {
    const servers = [doubted('new-1', doubts.newcomer), doubted('new-2', doubts.newcomer), used];
    const three = [aMatch(), aMatch(), aMatch()];
    expect(chosen(three, servers)).toEqual(['new-1', 'proved', 'proved']);
    const trials = new Set([trialPlace(used)]);
    const tried = rankServers(three, servers, new Set(), trials);
    expect(tried.map((each) => each?.serverId)).toEqual(['proved', 'proved', 'new-1']);
    expect(chosen(three, servers.slice(0, 2))).toEqual(['new-1', 'new-2', 'new-1']);
  });

  it('take no match from a proved one with a free slot but by such a trial', () => {
    const doubt = fc.constantFrom(...Object.values(doubts));
    const some = fc.array(fc.record({ doubt, slots: fc.integer({ min: 1, max: 3 }) }), { maxLength: 8 });
    fc.assert(
      fc.property(some, fc.nat({ max: 12 }), (all, count) => {
        const servers = all.map((each, i) => aServer(`s${i}`, each));
        const matches = Array.from({ length: count }, () => aMatch());
        const picks = rankServers(matches, servers);
        const free = servers.reduce((sum, each) => sum + (each.doubt === doubts.none ? each.slots : 0), 0);
        const ofProved = picks.filter((each) => each?.doubt === doubts.none).length;
        expect(ofProved).toBeGreaterThanOrEqual(Math.min(free, count - 1));
      }),
    );
  });
});
