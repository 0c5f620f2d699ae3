import { PostgresPlacementStore } from '../../apps/allocator/src/placement/placement.store.js';
import type { ServerShortage } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, promisesOf, range, ticketOf } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
const everyMs = 30_000;
const builds = ['b1', 'b2'];

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
  const [shortage, ...others] = await h.placements.claimShortages(everyMs, now, builds);
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

    const facts = { waitingMatches: 1, at: noon };
    expect(await h.placements.claimShortages(everyMs, noon, builds)).toEqual([
      { build: 'b1', regions: [], ...facts },
      { build: 'b1', regions: ['eu'], ...facts },
      // The order of regions is that of the match that was formed first.
      { build: 'b1', regions: ['us', 'eu'], waitingMatches: 2, at: noon },
      { build: 'b2', regions: [], ...facts },
    ]);
  });

  it('are claimed once in a while, by one of many replicas', async () => {
    const h = house();
    await waiting(h, ['m1', {}], ['m2', { regions: ['eu'] }]);
    const replicas = range(4).map(() => new PostgresPlacementStore(as('allocator', data().connect(2))));
    const claimAll = async (now: number): Promise<ServerShortage[]> =>
      (await Promise.all(replicas.map((store) => store.claimShortages(everyMs, now, builds)))).flat();

    expect(await claimAll(noon)).toHaveLength(2);
    expect(await claimAll(noon + everyMs - 1)).toEqual([]);
    expect(await claimAll(noon + everyMs)).toHaveLength(2);
    expect(await data().deadlocks()).toBe(0);
  });

  it('are over when a server was found, or nobody waits any more', async () => {
    const h = house();
    await waiting(h, ['m1', {}], ['m2', { regions: ['mars'] }]);
    await h.server('s');
    expect(await h.placedOn('m1')).toBe('s');
    await h.placements.giveUp(noon + 60_000, 10);
    expect(await h.placements.claimShortages(everyMs, noon, builds)).toEqual([]);
  });

  it('tell the tickets that a server is being started: those that wait at once, later ones first thing', async () => {
    const h = house();
    await waiting(h, ['m1', {}], ['m2', { regions: ['eu'] }]);
    const [anywhere] = await h.placements.claimShortages(everyMs, noon, builds);
    if (!anywhere) throw new Error('there is a shortage');
    await h.placements.settleShortage(anywhere, 'starting');
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
    await h.placements.settleShortage(await one(h), 'failed');
    await h.placements.settleShortage(await one(h, noon + everyMs), 'starting');
    // Asked again with the same answer: nothing new to tell.
    await h.placements.settleShortage(await one(h, noon + 2 * everyMs), 'starting');

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
    await h.placements.settleShortage(first, 'failed');
    expect(await toldOf(h, 'm1')).toHaveLength(1);

    await h.placements.settleShortage(second, 'starting');
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
      await h.placements.settleShortage(shortage, 'starting');
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
    await h.placements.drain('known');
    await waiting(h, ['m1', { build: 'b1' }], ['m2', { build: 'invented' }]);
    const buildsOf = async (allowed?: readonly string[]): Promise<string[]> =>
      (await h.placements.claimShortages(everyMs, noon, allowed)).map(({ build }) => build);
    expect(await buildsOf()).toEqual(['b1']);
    expect(await buildsOf(['b3'])).toEqual([]);
    expect(await buildsOf(['invented', 'b3'])).toEqual(['invented']);
  });
});
