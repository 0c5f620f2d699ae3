import { allocatorStores } from './allocator-stores.js';
import { noSpares, type ScaleOutLimits, type ServerShortage } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, promisesOf, range, ticketOf } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
const everyMs = 30_000;
const limits: ScaleOutLimits = { everyMs, startMs: everyMs, builds: ['b1', 'b2'], spares: noSpares };

/** Formed matches that were tried once and found no server. */
async function waiting(
  h: House,
  ...matches: [string, { build?: string; regions?: string[] }][]
): Promise<void> {
  for (const [matchId, { build = 'b1', regions = [] }] of matches) {
    await h.wants(matchId, { build, regions });
    expect(await h.placedOn(matchId)).toBe('none-free');
  }
}

/** What the tickets of a match were told about the search for a server, in turn. */
async function toldOf(h: House, matchId: string): Promise<string[]> {
  const promised = await promisesOf(h.db);
  return promised.flatMap(({ jobId, payload }) => {
    if (jobId !== `placing-${matchId}` || !payload || typeof payload !== 'object') return [];
    return 'reason' in payload ? [String(payload.reason).replace(/^.* has a free slot now/, '')] : [];
  });
}

const one = async (h: House, now = noon): Promise<ServerShortage> => {
  const [shortage, ...others] = await h.allocator.shortages.claimShortages(limits, now);
  if (!shortage || others.length > 0) throw new Error('there is to be one shortage');
  return shortage;
};

describe('C26 shortages of servers', () => {
  it('are one for each build and set of regions, with how many matches wait', async () => {
    const h = house();
    await waiting(
      h,
      ['m1', { regions: ['us', 'eu'] }],
      ['m2', { regions: ['eu', 'us'] }],
      ['m3', { regions: ['eu'] }],
      ['m4', {}],
      ['m5', { build: 'b2' }],
    );
    await h.wants('m6');

    const facts = { waitingMatches: 1, slots: 1, servers: 1, at: noon };
    expect(await h.allocator.shortages.claimShortages(limits, noon)).toEqual([
      { build: 'b1', regions: [], ...facts },
      { build: 'b1', regions: ['eu'], ...facts },
      // The order of regions is that of the match that was formed first.
      { build: 'b1', regions: ['us', 'eu'], waitingMatches: 2, slots: 2, servers: 2, at: noon },
      { build: 'b2', regions: [], ...facts },
    ]);
  });

  it('are claimed once in a while, by one of many replicas', async () => {
    const h = house();
    await waiting(h, ['m1', {}], ['m2', { regions: ['eu'] }]);
    const replicas = range(4).map(() => allocatorStores(as('allocator', data().connect(2))));
    const claimAll = async (now: number): Promise<ServerShortage[]> =>
      (await Promise.all(replicas.map((store) => store.shortages.claimShortages(limits, now)))).flat();

    expect(await claimAll(noon)).toHaveLength(2);
    expect(await claimAll(noon + everyMs - 1)).toEqual([]);
    expect(await claimAll(noon + everyMs)).toHaveLength(2);
    expect(await data().deadlocks()).toBe(0);
  });

  it('are claimed in turn if there are more of them than one round claims', async () => {
    const h = house();
    for (const i of range(50)) await waiting(h, [`m${i}`, { regions: [`r${10 + i}`] }]);
    const claimed = new Set<string>();
    // Each round begins when the claims of the one before are due again.
    for (const round of range(3))
      for (const { regions } of await h.allocator.shortages.claimShortages(limits, noon + round * everyMs))
        for (const region of regions) claimed.add(region);
    expect([...claimed].toSorted()).toEqual(range(50).map((i) => `r${10 + i}`));
  });

  it('are over when a server was found, or nobody waits any more', async () => {
    const h = house();
    await waiting(h, ['m1', {}], ['m2', { regions: ['mars'] }]);
    await h.server('s');
    expect(await h.placedOn('m1')).toBe('s');
    await h.allocator.placement.giveUp(noon + 60_000, 10);
    expect(await h.allocator.shortages.claimShortages(limits, noon)).toEqual([]);
  });

  it('tell the tickets that a server is being started: those that wait at once, later ones first thing', async () => {
    const h = house();
    await waiting(h, ['m1', {}], ['m2', { regions: ['eu'] }]);
    const [anywhere] = await h.allocator.shortages.claimShortages(limits, noon);
    if (!anywhere) throw new Error('there is a shortage');
    await h.allocator.shortages.settleShortage(anywhere, 'starting', everyMs);
    await waiting(h, ['m3', {}]);

    expect(await toldOf(h, 'm1')).toEqual(['; it is tried again and again.', '; a server is being started.']);
    expect(await toldOf(h, 'm2')).toEqual(['; it is tried again and again.']);
    expect(await toldOf(h, 'm3')).toEqual(['; a server is being started.']);
    const last = (await promisesOf(h.db)).findLast(({ jobId }) => jobId === 'placing-m1');
    expect(last).toMatchObject({
      owner: 'allocator',
      payload: { matchId: 'm1', ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')] },
    });
  });

  it('tell the tickets that nobody could be asked, and what is better news when it comes', async () => {
    const h = house();
    await waiting(h, ['m1', {}]);
    await h.allocator.shortages.settleShortage(await one(h), 'failed', everyMs);
    await h.allocator.shortages.settleShortage(await one(h, noon + everyMs), 'starting', everyMs);
    // Asked again with the same answer: nothing new to tell.
    await h.allocator.shortages.settleShortage(await one(h, noon + 2 * everyMs), 'starting', everyMs);

    expect((await toldOf(h, 'm1')).slice(1)).toEqual([
      ', and none could be asked for; both are tried again and again.',
      '; a server is being started.',
    ]);
  });

  it('are not told of by an answer that was given long ago, or came when somebody else had asked', async () => {
    const h = house();
    await waiting(h, ['m1', {}]);
    const first = await one(h);
    const second = await one(h, noon + everyMs);
    await h.allocator.shortages.settleShortage(first, 'failed', everyMs);
    expect(await toldOf(h, 'm1')).toHaveLength(1);

    await h.allocator.shortages.settleShortage(second, 'starting', everyMs);
    await h.wants('m2');
    await h.place('m2', noon + 2 * everyMs);
    expect(await toldOf(h, 'm2')).toEqual(['; it is tried again and again.']);
  });

  it('are learnt of at the next attempt by a match that somebody was at meanwhile', async () => {
    const h = house();
    await waiting(h, ['m1', {}]);
    const shortage = await one(h);
    const elsewhere = data().connect(1);
    await elsewhere.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM placement WHERE match_id = 'm1' FOR UPDATE`;
      await h.allocator.shortages.settleShortage(shortage, 'starting', everyMs);
    });
    expect(await toldOf(h, 'm1')).toHaveLength(1);
    await h.place('m1', noon + 1_000);
    await h.place('m1', noon + 2_000);
    expect((await toldOf(h, 'm1')).slice(1)).toEqual(['; a server is being started.']);
  });
});

describe('builds that players invent', () => {
  it('are not asked for: only those of servers that are known, or those that are allowed', async () => {
    const h = house();
    await h.server('known', { build: 'b1', slots: 1 });
    await h.allocator.fleet.drain('known');
    await waiting(h, ['m1', { build: 'b1' }], ['m2', { build: 'invented' }]);
    const buildsOf = async (allowed?: readonly string[]): Promise<string[]> =>
      (await h.allocator.shortages.claimShortages({ ...limits, builds: allowed }, noon)).map(
        ({ build }) => build,
      );
    expect(await buildsOf()).toEqual(['b1']);
    expect(await buildsOf(['b3'])).toEqual([]);
    expect(await buildsOf(['invented', 'b3'])).toEqual(['invented']);
  });
});

describe('C26 slots that are on their way', () => {
  const starts = { ...limits, startMs: 120_000 };
  const slotsOf = async (h: House, now: number, with_: ScaleOutLimits = starts): Promise<number[]> =>
    (await h.allocator.shortages.claimShortages(with_, now)).map(({ slots }) => slots);

  it('are not asked for again until their servers are late; further ones are', async () => {
    const h = house();
    await waiting(h, ['m1', { regions: ['eu'] }], ['m2', { regions: ['eu'] }]);
    const [first] = await h.allocator.shortages.claimShortages(starts, noon);
    if (!first) throw new Error('there is a shortage');
    await h.allocator.shortages.settleShortage(first, 'starting', starts.startMs);
    expect(await slotsOf(h, noon + everyMs)).toEqual([]);
    await waiting(h, ['m3', { regions: ['eu'] }]);
    expect(await slotsOf(h, noon + 2 * everyMs)).toEqual([1]);
    // Nobody answered for the second request, so it is not on its way any more.
    expect(await slotsOf(h, noon + 3 * everyMs)).toEqual([1]);
    expect(await slotsOf(h, noon + starts.startMs)).toEqual([3]);
  });

  it('have come with the servers that register, and not with one that registers again', async () => {
    const h = house();
    const spares: ScaleOutLimits = { ...starts, spares: { byRegion: new Map([['eu', 6]]), elsewhere: 0 } };
    const at = (seconds: number): number => noon + seconds * 1_000;
    const register = (serverId: string, now: number) =>
      h.allocator.fleet.register(
        { serverId, build: 'b1', region: 'eu', host: 'h', port: 1, slots: 2, resume: [] },
        now,
      );
    await register('old', noon - 1_000);
    const [first] = await h.allocator.shortages.claimShortages({ ...spares, builds: ['b1'] }, noon);
    expect(first).toEqual({
      build: 'b1',
      regions: ['eu'],
      waitingMatches: 0,
      slots: 4,
      servers: 2,
      at: noon,
    });
    if (!first) return;
    await h.allocator.shortages.settleShortage(first, 'starting', starts.startMs);
    await register('old', at(10));
    await register('new', at(20));
    const count = await h.allocator.shortages.countCapacity({ ...spares, builds: ['b1'] }, at(30));
    expect(count).toMatchObject({
      places: [{ build: 'b1', region: 'eu', servers: 2, slots: 4, used: 0, free: 4, emptyServers: 2 }],
      requests: [{ build: 'b1', regions: ['eu'], slots: 4, onTheirWay: 2 }],
    });
    expect(await slotsOf(h, at(40), { ...spares, builds: ['b1'] })).toEqual([]);
    await h.allocator.fleet.leave('new', at(50));
    await register('new', at(55));
    expect(await slotsOf(h, at(60), { ...spares, builds: ['b1'] })).toEqual([]);
    // The other server never came.
    expect(await slotsOf(h, at(120), { ...spares, builds: ['b1'] })).toEqual([2]);
  });

  it('are wanted of the builds that may be requested, by one of many replicas, before anybody waits', async () => {
    const h = house();
    await h.server('s1', { build: 'b1', region: 'eu', slots: 4 });
    await h.server('s2', { build: 'b2', region: 'us', slots: 4 });
    await h.server('s3', { build: 'invented', region: 'us', slots: 4 });
    await h.allocator.fleet.drain('s2');
    const spares: ScaleOutLimits = { ...limits, spares: { byRegion: new Map([['asia', 1]]), elsewhere: 6 } };
    const replicas = range(4).map(() => allocatorStores(as('allocator', data().connect(2))));
    const claimed = (
      await Promise.all(replicas.map((store) => store.shortages.claimShortages(spares, noon)))
    ).flat();
    expect(
      claimed.map(({ build, regions, slots }) => `${build} ${regions.join()} ${slots}`).toSorted(),
    ).toEqual(['b1 asia 1', 'b1 eu 2', 'b2 asia 1']);
    expect(await data().deadlocks()).toBe(0);
  });
});
