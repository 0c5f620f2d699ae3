import { allocatorStores } from './allocator-stores.js';
import { describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, timeouts, promisesOf, range, tally, ticketOf } from './fixtures.js';
import { House } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

describe('placing matches', () => {
  it.each([
    ['each match tried by one of four allocators', 1],
    ['each match tried by all four at once', 4],
  ])('fills the slots there are and none twice: %s', async (_, tries) => {
    const h = house();
    for (const [id, slots] of Object.entries({ two: 2, three: 3, one: 1 })) await h.server(id, { slots });
    const matchIds = range(20).map((i) => `m${i}`);
    await Promise.all(matchIds.map((matchId) => h.wants(matchId)));
    const allocators = range(4).map(() => allocatorStores(as('allocator', data().connect(2))));

    const results = await Promise.all(
      matchIds.flatMap((matchId, i) =>
        range(tries).map((t) => allocators[(i + t) % 4]?.placement.place(matchId, timeouts, noon)),
      ),
    );

    const outcomes = tally(results.map((result) => result?.outcome ?? 'no allocator'));
    expect(outcomes['reserved']).toBe(6);
    expect(outcomes['none-free']).toBeGreaterThanOrEqual(14);
    if (tries === 1) expect(outcomes).toEqual({ reserved: 6, 'none-free': 14 });
    const sessions = await h.db.session.findMany({ where: { state: 'reserved' } });
    expect(sessions.map(({ serverId, slotOrdinal }) => `${serverId}/${slotOrdinal}`).toSorted()).toEqual([
      'one/0',
      'three/0',
      'three/1',
      'three/2',
      'two/0',
      'two/1',
    ]);
    expect(new Set(sessions.map(({ matchId }) => matchId)).size).toBe(6);
    const commands = await h.db.command.findMany({ orderBy: [{ serverId: 'asc' }, { seq: 'asc' }] });
    expect(commands.map(({ serverId, seq, kind }) => `${serverId} ${seq} ${kind}`)).toEqual([
      'one 1 create-session',
      'three 1 create-session',
      'three 2 create-session',
      'three 3 create-session',
      'two 1 create-session',
      'two 2 create-session',
    ]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('reserves a slot and commands the server to create the session', async () => {
    const h = house();
    const server = await h.server('s');
    const [one, two] = aMatch('m1').players;
    if (!one || !two) throw new Error('a match has two players');
    await h.wants('m1', { map: 'castle', bots: [0, 1], players: [one, { ...two, role: 'healer' }] });

    const result = await h.place('m1');

    const sessionId = result.outcome === 'reserved' ? result.sessionId : '';
    expect(result).toEqual({
      outcome: 'reserved',
      serverId: 's',
      sessionId: expect.stringMatching(/^ses_/),
      answerBy: noon + 5_000,
      attempt: 1,
      waitedMs: expect.anything(),
    });
    const payload = {
      matchId: 'm1',
      queue: 'ranked',
      mode: 'duel',
      teams: [['m1-a'], ['m1-b']],
      map: 'castle',
      bots: [0, 1],
      roles: { 'm1-b': 'healer' },
      parties: [],
      names: {},
      answerBy: noon + 5_000,
    };
    expect(await h.allocator.commands.commandsAfter(server, 0)).toEqual([
      { seq: 1, kind: 'create-session', sessionId, payload },
    ]);
    expect(await h.allocator.commands.commandsAfter(server, 1)).toEqual([]);
    expect(await h.stateOf('m1')).toBe('formed');
    expect(await h.place('m1')).toEqual({ outcome: 'settled' });
    expect(await h.place('no such match')).toEqual({ outcome: 'settled' });
  });

  it('places those that come at once evenly, and lets wait whom there is no slot for', async () => {
    const h = house();
    for (const name of ['a', 'b', 'c']) await h.server(name, { slots: 4 });
    for (const i of range(15)) await h.wants(`m${i}`);

    const places = await Promise.all(range(15).map((i) => h.placedOn(`m${i}`)));

    expect(tally(places)).toEqual({ a: 4, b: 4, c: 4, 'none-free': 3 });
    const orders = await h.db.command.findMany({ orderBy: [{ serverId: 'asc' }, { seq: 'asc' }] });
    expect(orders.map(({ serverId, seq }) => `${serverId}${seq}`)).toEqual(
      ['a', 'b', 'c'].flatMap((name) => [1, 2, 3, 4].map((seq) => `${name}${seq}`)),
    );
    expect(await h.disorder()).toEqual([]);
  });

  it('takes the server with the least share of its slots in use', async () => {
    const h = house();
    await h.server('a', { slots: 2 });
    await h.server('b', { slots: 4 });
    const order: string[] = [];
    for (const i of range(7)) {
      await h.wants(`m${i}`);
      order.push(await h.placedOn(`m${i}`));
    }
    expect(order).toEqual(['a', 'b', 'b', 'a', 'b', 'b', 'none-free']);
  });

  it('takes the one with the idler processor among equally full ones', async () => {
    const h = house();
    for (const [id, cpuLoad] of Object.entries({ busy: 0.9, idle: 0.1, medium: 0.5 }))
      await h.allocator.fleet.heartbeat(await h.server(id), { cpuLoad }, noon, noon);
    const order: string[] = [];
    for (const i of range(3)) {
      await h.wants(`m${i}`);
      order.push(await h.placedOn(`m${i}`));
    }
    expect(order).toEqual(['idle', 'medium', 'busy']);
  });

  it('takes the players’ best region first, and no other than theirs', async () => {
    const h = house();
    for (const region of ['asia', 'eu', 'us']) await h.server(`in-${region}`, { region });
    const order: string[] = [];
    for (const i of range(3)) {
      await h.wants(`m${i}`, { regions: ['us', 'eu'] });
      order.push(await h.placedOn(`m${i}`));
    }
    expect(order).toEqual(['in-us', 'in-eu', 'none-free']);
  });

  it('takes the match’s own build only', async () => {
    const h = house();
    await h.server('old', { build: 'b0', slots: 9 });
    await h.server('new', { build: 'b1' });
    for (const [matchId, build] of Object.entries({ m1: 'b1', m2: 'b1', m3: 'b0', m4: 'b7' }))
      await h.wants(matchId, { build });

    expect(await Promise.all(['m1', 'm3', 'm4'].map((id) => h.placedOn(id)))).toEqual([
      'new',
      'old',
      'none-free',
    ]);
    expect(await h.placedOn('m2')).toBe('none-free');
  });

  it.each<[string, (h: House) => Promise<unknown>]>([
    ['drains', (h) => h.allocator.fleet.drain('s')],
    ['left', (h) => h.allocator.fleet.leave('s', noon)],
    [
      'is lost',
      (h) => h.allocator.silence.loseSilent({ ...timeouts, silenceMs: -1, massSilenceMs: -1 }, noon, 10),
    ],
    [
      'has been silent',
      (h) => h.db.server.update({ where: { id: 's' }, data: { heartbeatAt: new Date(noon - 10_000) } }),
    ],
    ['has no slots', (h) => h.server('s', { slots: 0 })],
    [
      'has fewer slots than before, all in use',
      async (h) => {
        await h.server('s', { slots: 2 });
        await h.live('other');
        const [other] = await h.db.session.findMany();
        await h.server('s', { slots: 1, resume: [other?.id ?? ''] });
      },
    ],
  ])('passes over a server that %s', async (_, happens) => {
    const h = house();
    await h.server('s');
    await happens(h);
    await h.wants('m1');

    expect(await h.placedOn('m1')).toBe('none-free');
  });

  it('asks a server that refused again only when some time has passed', async () => {
    const h = house();
    const server = await h.server('s');
    const held = await h.reserved('m1');
    expect(await h.refuse(held)).toEqual({ outcome: 'accepted', matchId: 'm1' });
    const { avoidMs } = timeouts;
    await h.allocator.fleet.heartbeat(server, { cpuLoad: 0 }, noon, noon + avoidMs);

    expect(await h.placedOn('m1', noon + avoidMs - 1)).toBe('none-free');
    await h.wants('m2');
    expect(await h.placedOn('m2', noon + avoidMs - 1)).toBe('s');
    await h.db.session.updateMany({ where: { matchId: 'm2' }, data: { state: 'ended' } });
    expect(await h.placedOn('m1', noon + avoidMs)).toBe('s');
  });

  it('goes to the next server when one refuses', async () => {
    const h = house();
    await h.server('a');
    await h.server('b');
    const held = await h.reserved('m1');
    expect(held.server.serverId).toBe('a');
    await h.refuse(held);

    expect(await h.allocator.placement.duePlacements(noon, 10)).toEqual(['m1']);
    expect(await h.placedOn('m1')).toBe('b');
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', 'placing']);
  });
});

describe('waiting for a slot', () => {
  it('tries again with growing pauses, and tells the tickets once', async () => {
    const h = house();
    await h.wants('m1', { regions: ['eu', 'us'] });
    const pauses: number[] = [];
    for (const _ of range(6)) {
      const result = await h.place('m1');
      if (result.outcome === 'none-free') pauses.push(result.nextAttemptAt - noon);
      expect(await h.nextAttempt('m1')).toBe(pauses.at(-1));
    }

    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    const told = (await promisesOf(h.db)).filter(({ owner }) => owner === 'allocator');
    expect(told).toEqual([
      {
        owner: 'allocator',
        queue: 'ticket-news',
        jobId: 'placing-m1',
        payload: {
          kind: 'placing',
          matchId: 'm1',
          ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')],
          reason: expect.stringContaining('build b1 in eu or us'),
          messages: [
            {
              code: 'placement.none-free',
              params: { build: 'b1', anywhere: false, regions: ['eu', 'us'], seconds: null, next: null },
            },
          ],
        },
      },
    ]);
  });

  it('is due when its pause is over, the longest due first', async () => {
    const h = house();
    for (const matchId of ['m1', 'm2', 'm3']) await h.wants(matchId);
    for (const matchId of ['m1', 'm1', 'm2']) await h.place(matchId);

    expect(await h.allocator.placement.duePlacements(noon, 10)).toEqual(['m3']);
    expect(await h.allocator.placement.duePlacements(noon + 500, 10)).toEqual(['m3', 'm2', 'm1']);
    expect(await h.allocator.placement.duePlacements(noon + 500, 2)).toEqual(['m3', 'm2']);
  });

  it('is over at once for all who wait when a slot comes free', async () => {
    const h = house();
    for (const matchId of ['m1', 'm2']) {
      await h.wants(matchId);
      await h.place(matchId);
    }
    await h.server('s');
    await h.reserved('m3');

    expect(await h.allocator.placement.makePlacementsDue(noon, 10)).toBe(2);
    expect((await h.allocator.placement.duePlacements(noon, 10)).toSorted()).toEqual(['m1', 'm2']);
    expect(await h.allocator.placement.makePlacementsDue(noon, 10)).toBe(0);
    expect(await h.nextAttempt('m3')).toBe(6_000);
  });

  it('is over for as many as are asked for, those that were tried the longest ago first', async () => {
    const h = house();
    for (const [i, matchId] of ['m1', 'm2', 'm3'].entries()) {
      await h.wants(matchId);
      await h.place(matchId, noon + i);
    }
    expect(await h.allocator.placement.makePlacementsDue(noon, 2)).toBe(2);
    expect((await h.allocator.placement.duePlacements(noon, 10)).toSorted()).toEqual(['m1', 'm2']);
  });

  it('begins once, and only for a match that was formed', async () => {
    const h = house();
    await h.wants('m1');
    await h.place('m1');
    await h.allocator.placement.begin('m1', noon + 1_000);
    await h.allocator.placement.begin('no such match', noon);

    expect(await h.db.placement.findMany()).toEqual([
      {
        matchId: 'm1',
        attempts: 1,
        nextAttemptAt: new Date(noon + 250),
        giveUpAt: new Date(noon + 60_000),
        shortage: 'none-free',
        openRegions: [],
        anywhere: true,
      },
    ]);
  });

  it('is given up in time: the players are free and told', async () => {
    const h = house();
    await h.wants('m1');
    await h.wants('m2', { rules: { placementTimeoutSeconds: 61 } });
    await h.wants('m3', { rules: {} });

    expect(await h.allocator.placement.giveUp(noon + 59_999, 10)).toEqual([]);
    expect(await h.allocator.placement.giveUp(noon + 60_000, 10)).toEqual(['m1']);
    expect(await h.allocator.placement.giveUp(noon + 60_000, 10)).toEqual([]);
    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(await h.playing()).toEqual(['m2-a', 'm2-b', 'm3-a', 'm3-b']);
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', 'abandoned']);
    expect(await h.placedOn('m1')).toBe('settled');
    await h.allocator.placement.begin('m1', noon + 60_000);
    expect(await h.nextAttempt('m1')).toBeNull();
    expect((await h.allocator.placement.giveUp(noon + 299_999, 10)).toSorted()).toEqual(['m2']);
    expect(await h.allocator.placement.giveUp(noon + 300_000, 10)).toEqual(['m3']);
  });

  it('is not given up while a server is being asked', async () => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');

    expect(await h.allocator.placement.giveUp(noon + 60_000, 10)).toEqual([]);
    await h.refuse(held);
    expect(await h.allocator.placement.giveUp(noon + 60_000, 10)).toEqual(['m1']);
    expect(await h.disorder()).toEqual([]);
  });
});
