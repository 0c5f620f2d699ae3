import { equallyNearMs, type Heartbeat, type PlacementPolicy, type ServerRegistration } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { allocatorStores } from './allocator-stores.js';
import { PostgresMatchHistory } from '../../apps/assignment/src/history/match-history.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, promisesOf, range, tally, timeouts } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

const by = (placement: PlacementPolicy, regions: string[] = ['eu', 'us']) => ({
  regions,
  rules: { mode: 'duel', placement },
});

/** Places matches one after another. @returns their servers */
async function placedInTurn(h: House, policy: PlacementPolicy, count: number): Promise<string[]> {
  const servers: string[] = [];
  for (const i of range(count)) {
    await h.wants(`m${i}`, by(policy));
    servers.push(await h.placedOn(`m${i}`));
  }
  return servers;
}

/** A server that has sent a heartbeat. */
async function loaded(
  h: House,
  serverId: string,
  beat: Partial<Heartbeat>,
  over: Partial<ServerRegistration> = {},
): Promise<{ serverId: string; incarnation: number }> {
  const server = await h.server(serverId, over);
  await h.allocator.fleet.heartbeat(server, { cpuLoad: 0, ...beat }, noon, noon);
  return server;
}

describe('C13 placement policies', () => {
  const fleet = async (h: House): Promise<void> => {
    await h.server('eu-1', { region: 'eu', slots: 2 });
    await h.server('eu-2', { region: 'eu', slots: 2 });
    await h.server('us-1', { region: 'us', slots: 2 });
  };

  it.each<[PlacementPolicy, string[]]>([
    ['spread', ['eu-1', 'eu-2', 'us-1', 'eu-1', 'eu-2', 'us-1', 'none-free']],
    ['pack', ['eu-2', 'eu-2', 'eu-1', 'eu-1', 'us-1', 'us-1', 'none-free']],
    ['latency-first', ['eu-1', 'eu-2', 'eu-1', 'eu-2', 'us-1', 'us-1', 'none-free']],
  ])('%s', async (policy, expected) => {
    const h = house();
    await fleet(h);
    expect(await placedInTurn(h, policy, 7)).toEqual(expected);
    expect(await h.disorder()).toEqual([]);
  });

  it('of one batch are each match’s own', async () => {
    const h = house();
    await h.server('eu-1', { region: 'eu', slots: 2 });
    await h.server('us-1', { region: 'us', slots: 3 });
    await h.reserved('first', by('pack', ['us']));
    await h.wants('packed', by('pack'));
    await h.wants('spread', by('spread'));
    await h.wants('near', by('latency-first', ['us', 'eu']));
    const placed = await Promise.all(
      ['packed', 'spread', 'near'].map(async (id) => [id, await h.placedOn(id)] as const),
    );
    expect(Object.fromEntries(placed)).toEqual({ packed: 'us-1', spread: 'eu-1', near: 'us-1' });
  });

  it.each([2, 4])('pack with %i allocators fills servers one by one', async (count) => {
    const h = house();
    for (const i of range(6)) await h.server(`s${i}`, { slots: 4 });
    const allocators = range(count).map(() => allocatorStores(as('allocator', data().connect(2))));
    const ids = range(10).map((i) => `m${i}`);
    for (const id of ids) await h.wants(id, by('pack', []));
    const results = await Promise.all(
      ids.map((id, i) => allocators[i % count]?.placement.place(id, timeouts, noon)),
    );
    expect(tally(results.map((result) => result?.outcome ?? ''))).toEqual({ reserved: 10 });
    const servers = results.flatMap((each) => (each?.outcome === 'reserved' ? [each.serverId] : []));
    expect(Object.values(tally(servers)).toSorted()).toEqual([2, 4, 4]);
    const sessions = await h.db.session.findMany();
    expect(new Set(sessions.map(({ serverId, slotOrdinal }) => `${serverId}/${slotOrdinal}`)).size).toBe(10);
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('are told with the match', async () => {
    const h = house();
    await loaded(h, 's', { cpuLoad: 0.2, tick: { rate: 50, p95Ms: 9 } }, { region: 'us', slots: 4 });
    const texts: unknown[] = [];
    for (const policy of ['spread', 'pack', 'latency-first'] as const) {
      await h.reserved(policy, by(policy));
      texts.push((await new PostgresMatchHistory(as('assignment', h.db)).find(policy))?.serverWhy);
    }
    const params = { region: 'us', slots: 4, load: 45 };
    const unknown = { latency: null, equalMs: equallyNearMs };
    expect(texts).toEqual([
      [{ code: 'placement.by-spread', params: { ...params, ...unknown, used: 0 } }],
      [{ code: 'placement.by-pack', params: { ...params, ...unknown, used: 1 } }],
      [{ code: 'placement.by-latency', params: { ...params, used: 2, place: 2 } }],
    ]);
  });
});

describe('C13 an overloaded server', () => {
  it.each(['spread', 'pack', 'latency-first'] as const)('gets nothing by %s', async (policy) => {
    const h = house();
    const hot = await loaded(h, 'hot', { cpuLoad: 1, load: 'over' }, { slots: 8 });
    await h.server('full', { slots: 2 });
    expect(await placedInTurn(h, policy, 3)).toEqual(['full', 'full', 'none-free']);

    // About the limit it stays as it is; well below it gets matches.
    await h.allocator.fleet.heartbeat(hot, { cpuLoad: 0.9, load: 'between' }, noon, noon);
    expect(await h.placedOn('m2')).toBe('none-free');
    await h.allocator.fleet.heartbeat(hot, { cpuLoad: 0.5, load: 'under' }, noon, noon);
    await h.allocator.fleet.heartbeat(hot, { cpuLoad: 0.9, load: 'between' }, noon, noon);
    expect(await h.placedOn('m2')).toBe('hot');
  });

  it('gets nothing when its slot was freed a moment ago', async () => {
    const h = house();
    const held = await (await h.server('hot', { slots: 1 }), h.reserved('m1'));
    await h.allocator.fleet.heartbeat(held.server, { cpuLoad: 1, load: 'over' }, noon, noon);
    await h.refuse(held);
    await h.wants('m2');
    expect(await h.placedOn('m2')).toBe('none-free');
  });

  it('is so by a heartbeat of a batch as by one alone, and no more after it registered again', async () => {
    const h = house();
    const servers = await Promise.all(range(12).map((i) => h.server(`s${i}`)));
    const loads = ['over', 'between', 'under'] as const;
    const beat = (nth: number) =>
      Promise.all(
        servers.map((server, i) =>
          h.allocator.fleet.heartbeat(
            server,
            { cpuLoad: 0.5, tick: { rate: 20, p95Ms: i }, load: loads[(i + nth) % 3] },
            noon,
            noon,
          ),
        ),
      );
    const overloaded = async (): Promise<boolean[]> => {
      const views = await h.allocator.fleet.servers('', 100);
      return servers.map(
        ({ serverId }) => views.find((each) => each.serverId === serverId)?.overloaded ?? false,
      );
    };
    await beat(0);
    expect(await overloaded()).toEqual(servers.map((_, i) => i % 3 === 0));
    const [view] = await h.allocator.fleet.servers('s10', 1);
    expect(view).toMatchObject({ serverId: 's11', tickLoad: 0.22 });
    // The overloaded ones are about the limit now.
    await beat(1);
    expect(await overloaded()).toEqual(servers.map((_, i) => i % 3 !== 1));
    for (const { serverId } of servers) await h.server(serverId);
    expect(await overloaded()).toEqual(servers.map(() => false));
  });

  it('is told of to the tickets that wait, once, with how many there are in their regions', async () => {
    const h = house();
    for (const [id, region] of Object.entries({ a: 'eu', b: 'eu', c: 'us', d: 'asia' }))
      await loaded(h, id, { cpuLoad: 1, load: 'over' }, { region });
    await h.wants('m1', by('spread'));
    await h.wants('m2', by('spread', []));
    await h.wants('m3', { ...by('spread'), build: 'other' });
    for (const id of ['m1', 'm1', 'm2', 'm3']) expect(await h.placedOn(id)).toBe('none-free');
    const told = (await promisesOf(h.db)).flatMap(({ jobId, payload }) =>
      jobId.startsWith('placing-') && payload && typeof payload === 'object' && 'reason' in payload
        ? [`${jobId.slice(8)}: ${String(payload.reason)}`]
        : [],
    );
    const hot = 'overloaded, and no other has a free slot now; it is tried again and again.';
    expect(told.map((text) => text.replace('Your teams are made', '…'))).toEqual([
      `m1: …. 3 servers of build b1 in eu or us have free slots but are ${hot}`,
      `m2: …. 4 servers of build b1 in any region have free slots but are ${hot}`,
      'm3: …, but no server of build other in eu or us has a free slot now; it is tried again and again.',
    ]);
  });

  it('does not count as free, so others are asked for', async () => {
    const h = house();
    await loaded(h, 'hot', { cpuLoad: 1, load: 'over' }, { region: 'eu', slots: 4 });
    await h.server('cool', { region: 'eu', slots: 4 });
    const limits = {
      everyMs: 1_000,
      startMs: 1_000,
      builds: ['b1'],
      spares: { byRegion: new Map([['eu', 6]]), elsewhere: 0 },
    };
    expect((await h.allocator.shortages.countCapacity(limits, noon)).places).toMatchObject([
      { servers: 2, slots: 8, used: 0, free: 4, overloadedServers: 1, overloadedSlots: 4, emptyServers: 1 },
    ]);
    expect(await h.allocator.shortages.claimShortages(limits, noon)).toMatchObject([
      { slots: 2, servers: 1 },
    ]);
  });
});
