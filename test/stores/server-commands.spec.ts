import { describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, range } from './fixtures.js';
import { House } from './house.js';
import { dueTimes } from '../../apps/allocator/src/watch/due.store.js';

const data = databaseForEach();

describe('the commands of many servers', () => {
  async function house() {
    const h = new House(data().db);
    const servers = [];
    for (const i of range(4)) servers.push(await h.server(`s${i}`));
    const held = [];
    for (const i of range(3)) held.push(await h.reserved(`m${i}`));
    return { h, servers, held };
  }

  it('are read together, and each call has its own', async () => {
    const { h, servers, held } = await house();
    const read = await Promise.all(servers.map((server) => h.allocator.commands.commandsAfter(server, 0)));
    for (const [i, { serverId }] of servers.entries())
      expect(read[i]?.map(({ sessionId }) => sessionId)).toEqual(
        held.filter(({ server }) => server.serverId === serverId).map(({ sessionId }) => sessionId),
      );
  });

  it('are read for all others when one call is faulty', async () => {
    const { h, servers } = await house();
    const nobody = { serverId: 'nobody', incarnation: 1 };
    const results = await Promise.allSettled([
      ...servers.map((server) => h.allocator.commands.commandsAfter(server, 0)),
      h.allocator.commands.commandsAfter({ serverId: 's0', incarnation: 1 }, 2 ** 40),
      h.allocator.commands.commandsAfter(nobody, 0),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...servers.map(() => 'fulfilled'),
      'rejected',
      'fulfilled',
    ]);
    expect(results.at(-1)).toMatchObject({ value: null });
  });

  it('are found after the cursors of those that wait, as are other registrations', async () => {
    const { h, servers, held } = await house();
    const cursors = servers.map((server) => ({ ...server, after: 0 }));
    const asked = servers.flatMap(({ serverId }, i) =>
      held.some(({ server }) => server.serverId === serverId) ? [i] : [],
    );
    expect(asked).toHaveLength(3);
    expect(await h.allocator.commands.withCommands(cursors)).toEqual(asked);
    expect(
      await h.allocator.commands.withCommands(cursors.map((cursor) => ({ ...cursor, after: 1 }))),
    ).toEqual([]);
    expect(await h.allocator.commands.withCommands([{ serverId: 's1', incarnation: 2, after: 1 }])).toEqual([
      0,
    ]);
  });

  it('are found by their time, the newest of each server, without those that were answered', async () => {
    const { h, held } = await house();
    const newest = async (since: number) =>
      (await h.allocator.commands.newestCommands(since)).toSorted((a, b) =>
        a.serverId < b.serverId ? -1 : 1,
      );
    const given = held
      .map(({ server: { serverId } }) => ({ serverId, seq: 1 }))
      .toSorted((a, b) => (a.serverId < b.serverId ? -1 : 1));
    expect(await newest(noon - 1)).toEqual(given);
    expect(await newest(noon)).toEqual([]);

    const [first] = held;
    if (!first) throw new Error('no session is reserved');
    await h.accept(first);
    expect(await newest(noon - 1)).toEqual(given.filter((one) => one.serverId !== first.server.serverId));
  });
});

describe('the command that creates a session', () => {
  const attributes = { skin: '★ red', mods: [null, { on: true }] };

  async function toldOf(over: object): Promise<object | undefined> {
    const h = new House(data().db);
    await h.db.playerName.create({ data: { playerId: 'ann', name: 'Ann ★', seenAt: new Date(noon) } });
    const server = await h.server('s1');
    const { players, ...match } = aMatch('m1', [
      ['ann', 'ben'],
      ['cat', 'dan'],
    ]);
    const together = players.map((player) => ({
      ...player,
      ...(player.team === 0 ? { ticketId: 'tkt_ab' } : {}),
      ...(player.playerId === 'ann' ? { attributes } : {}),
    }));
    await h.reserved('m1', { ...match, players: together, rules: { ...match.rules, ...over } });
    const [command] = (await h.allocator.commands.commandsAfter(server, 0)) ?? [];
    return command?.payload;
  }

  it('tells who queued together and the names that are known, and no ratings', async () => {
    const told = await toldOf({});
    expect(told).toMatchObject({
      parties: [['ann', 'ben']],
      names: { ann: 'Ann ★' },
      attributes: [{ playerIds: ['ann', 'ben'], attributes }],
    });
    expect(told).not.toHaveProperty('ratings');
  });

  it('tells what the rules of the queue say', async () => {
    const told = await toldOf({ sessionTells: ['ratings', 'what a later release knows'] });
    expect(told).toMatchObject({ ratings: { dan: { mu: 25, sigma: 25 / 3 } } });
    expect(told).not.toHaveProperty('parties');
    expect(told).not.toHaveProperty('names');
  });
});

describe('what is due', () => {
  it('is nothing in an empty database', async () => {
    const times = await dueTimes(data().db);
    expect(new Set(Object.values(times))).toEqual(new Set([null, false]));
  });

  it('is the earliest time of each kind', async () => {
    const h = new House(data().db);
    await h.server('s1', { slots: 2 });
    await h.wants('m1', { build: 'unknown' });
    await h.reserved('m2');
    await h.live('m3');
    const times = await dueTimes(h.db);
    const [session] = await h.db.session.findMany({ where: { state: 'reserved' } });
    const [live] = await h.db.session.findMany({ where: { state: 'live' } });
    const placements = await h.db.placement.findMany();
    const earliest = (dates: (Date | undefined)[]): number =>
      Math.min(...dates.map((date) => date?.getTime() ?? Infinity));
    expect(times).toMatchObject({
      answerBy: session?.answerBy.getTime(),
      heardAt: noon,
      liveAt: live?.liveAt?.getTime(),
      giveUpAt: earliest(placements.map(({ giveUpAt }) => giveUpAt)),
      nextAttemptAt: earliest(placements.map(({ nextAttemptAt }) => nextAttemptAt)),
      backfillOrphaned: false,
    });
  });
});
