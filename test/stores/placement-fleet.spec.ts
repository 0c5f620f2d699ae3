import { allocatorStores, type AllocatorStores } from './allocator-stores.js';
import { describe, expect, it } from 'vitest';
import { as } from '../support/database.js';
import { blocked, Gate } from '../support/gate.js';
import { databaseForEach, noon, range, tally, timeouts } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
/** As another replica would have it. */
const allocator = (): AllocatorStores => allocatorStores(as('allocator', data().connect(2)));

/** The number of slots in use by which a server is found. */
async function countOf(h: House, serverId: string): Promise<number> {
  return (await h.db.server.findUniqueOrThrow({ where: { id: serverId } })).usedSlots;
}

describe.each([2, 4])('%i allocators', (count) => {
  it.each([
    ['one server', [12]],
    ['as many servers as slots', range(12).map(() => 1)],
    ['servers of several sizes', [1, 2, 3, 6]],
  ])('race for the last slots of %s: each slot is taken once, and none stays free', async (_, sizes) => {
    const h = house();
    const allocators = range(count).map(allocator);
    for (const [i, slots] of sizes.entries()) await h.server(`s${i}`, { slots });
    const matchIds = range(16).map((i) => `m${i}`);
    for (const matchId of matchIds) await h.wants(matchId);

    const results = await Promise.all(
      matchIds.map((matchId, i) => allocators[i % count]?.placement.place(matchId, timeouts, noon)),
    );

    expect(tally(results.map((result) => result?.outcome ?? ''))).toEqual({ reserved: 12, 'none-free': 4 });
    const sessions = await h.db.session.findMany();
    expect(new Set(sessions.map(({ serverId, slotOrdinal }) => `${serverId}/${slotOrdinal}`)).size).toBe(12);
    for (const [i, slots] of sizes.entries()) expect(await countOf(h, `s${i}`)).toBe(slots);
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('spread an empty fleet: no server gets a second match before each has one', async () => {
    const h = house();
    const allocators = range(count).map(allocator);
    for (const i of range(24)) await h.server(`s${i}`, { slots: 4 });
    const matchIds = range(24).map((i) => `m${i}`);
    for (const matchId of matchIds) await h.wants(matchId);
    // All choose before any of them reserves.
    const gate = await Gate.shut(h.db, { table: 'session', on: 'INSERT' });
    const placing = matchIds.map((matchId, i) =>
      allocators[i % count]?.placement.place(matchId, timeouts, noon),
    );
    await gate.crowd(count);
    await gate.open();

    const servers = (await Promise.all(placing)).map((result) =>
      result?.outcome === 'reserved' ? result.serverId : '',
    );
    expect(new Set(servers).size).toBe(24);
  });
});

describe('a server that another allocator holds', () => {
  it('gives way to one that is loaded as little', async () => {
    const h = house();
    for (const serverId of ['a', 'b']) await h.server(serverId, { slots: 2 });
    for (const matchId of ['m1', 'm2']) await h.wants(matchId);
    const gate = await Gate.shut(h.db, { table: 'session', on: 'INSERT', when: "NEW.server_id = 'a'" });
    const first = h.placedOn('m1');
    await gate.crowd();

    expect(await allocator().placement.place('m2', timeouts, noon)).toMatchObject({ serverId: 'b' });
    await gate.open();
    expect(await first).toBe('a');
  });

  it('is waited for when the others are loaded more', async () => {
    const h = house();
    await h.server('b', { slots: 2 });
    await h.reserved('m0');
    await h.server('a', { slots: 4 });
    for (const matchId of ['m1', 'm2']) await h.wants(matchId);
    const gate = await Gate.shut(h.db, { table: 'session', on: 'INSERT', when: "NEW.server_id = 'a'" });
    const first = h.placedOn('m1');
    await gate.crowd();
    const second = allocator().placement.place('m2', timeouts, noon);
    await blocked(h.db, 2, second);
    await gate.open();

    expect(await first).toBe('a');
    expect(await second).toMatchObject({ serverId: 'a' });
    const ordinals = (await h.db.session.findMany({ where: { serverId: 'a' } })).map(
      (row) => row.slotOrdinal,
    );
    expect(ordinals.toSorted()).toEqual([0, 1]);
  });

  it('and that drains meanwhile gets no match', async () => {
    const h = house();
    await h.server('a');
    const gate = await Gate.shut(h.db, { table: 'server', on: 'UPDATE', when: "NEW.state = 'draining'" });
    const draining = h.allocator.fleet.drain('a');
    await gate.crowd();
    await h.wants('m1');
    const placing = h.placedOn('m1');
    await blocked(h.db, 2, placing);
    await gate.open();
    await draining;

    expect(await placing).toBe('none-free');
    expect(await h.disorder()).toEqual([]);
  });

  it('gets matches again after it drained, whatever heartbeats say meanwhile', async () => {
    const h = house();
    const server = await h.server('a');
    expect(await h.allocator.fleet.undrain('a')).toMatchObject({ state: 'ready' });
    await h.allocator.fleet.drain('a');
    const beat = () => h.allocator.fleet.heartbeat(server, { cpuLoad: 0 }, noon, noon);
    const [, undrained] = await Promise.all([beat(), h.allocator.fleet.undrain('a'), beat()]);
    expect(undrained).toMatchObject({ state: 'ready', slotsInUse: 0 });
    await h.wants('m1');
    expect(await h.placedOn('m1')).toBe('a');
    await h.allocator.fleet.leave('a', noon);
    expect(await h.allocator.fleet.undrain('a')).toMatchObject({ state: 'left' });
    expect(await h.allocator.fleet.undrain('unknown')).toBeNull();
  });

  it('is found when its slot was freed and is not counted yet', async () => {
    const h = house();
    await h.server('a');
    const held = await h.reserved('m1');
    const gate = await Gate.shut(h.db, { table: 'server', on: 'UPDATE', when: 'NEW.cpu_load = 0.5' });
    const beating = h.allocator.fleet.heartbeat(held.server, { cpuLoad: 0.5 }, noon, noon);
    await gate.crowd();
    await h.refuse(held);
    await h.wants('m2');
    const placing = h.placedOn('m2');
    await blocked(h.db, 2, placing);
    await gate.open();
    await beating;

    expect(await placing).toBe('a');
  });
});

describe('the count of slots in use', () => {
  it('follows reservations and closed sessions', async () => {
    const h = house();
    await h.server('a', { slots: 3 });
    const held = await h.reserved('m1');
    await h.reserved('m2');
    expect(await countOf(h, 'a')).toBe(2);

    await h.refuse(held);
    expect(await h.db.freedSlot.findMany()).toMatchObject([{ serverId: 'a' }]);
    await h.allocator.retention.forget({ servers: 0, sessions: 0 }, 10);
    expect(await countOf(h, 'a')).toBe(1);
    expect(await h.db.freedSlot.count()).toBe(0);
  });

  it('forgets freed slots of a server that is deleted', async () => {
    const h = house();
    await h.db.freedSlot.create({ data: { serverId: 'gone' } });
    await h.allocator.retention.forget({ servers: 0, sessions: 0 }, 10);
    expect(await h.db.freedSlot.count()).toBe(0);
  });

  it('is mended where the release before reserved without counting: full servers hide no free one', async () => {
    const h = house();
    // More than a placement reads, each with a session that is not counted.
    await h.db.$executeRaw`
      INSERT INTO server (id, region, build, host, port, slots, state, heartbeat_at, registered_at)
      SELECT 'full-' || i, 'eu', 'b1', 'h', 1, 1, 'ready', ${new Date(noon)}, now() FROM generate_series(1, 200) AS i`;
    await h.db.$executeRaw`
      INSERT INTO match (id, origin, pool, state, regions, formed_at)
      SELECT 'full-' || i, 'queue', 'ladder', 'formed', '{}', now() FROM generate_series(1, 200) AS i`;
    await h.db.$executeRaw`
      INSERT INTO session (id, match_id, server_id, slot_ordinal, state, incarnation, reserved_at, answer_by)
      SELECT 'full-' || i, 'full-' || i, 'full-' || i, 0, 'reserved', 1, now(), now() FROM generate_series(1, 200) AS i`;
    await h.server('half', { slots: 2 });
    await h.wants('m');
    expect(await h.placedOn('m')).toBe('half');
  });
});
