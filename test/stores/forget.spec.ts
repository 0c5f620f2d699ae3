import { message, type QueueRules } from '@muster/domain';
import { databaseIdentity } from '@muster/db';
import { defaultQueues } from '@muster/matchmaking';
import { connectRedis, realmRoot } from '@muster/redis';
import { aTicket, anAssignment, startTestRedis, type TestRedis } from '@muster/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresLiveTickets } from '../../apps/assignment/src/forming/live-tickets.store.js';
import { RestoreTickets } from '../../apps/queue/src/recovery/restore-tickets.js';
import { RedisTicketMemory } from '../../apps/queue/src/core/ticket-memory.store.js';
import { Queues } from '../../apps/queue/src/rules/queues.js';
import type { AssignmentClient } from '../../apps/queue/src/services/assignment.client.js';
import { WatchMemory } from '../../apps/queue/src/recovery/watch-memory.js';
import { RedisTicketStore } from '../../apps/queue/src/core/ticket.store.js';
import { as } from '../support/database.js';
import { aMatch, databaseForEach, noon, ticketOf } from './fixtures.js';
import { House } from './house.js';
import { createDb } from '../support/prisma.js';

const data = databaseForEach();
const root = realmRoot('forget');
const queue = 'ranked';
const [duel] = defaultQueues as [QueueRules];
const log = { info: () => undefined, warn: () => undefined };
/** Long after the matches of these tests: nothing is on its way any more. */
const clock = { now: () => noon + 600_000 };

let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;
let store: RedisTicketStore;
let memory: RedisTicketMemory;

beforeAll(async () => {
  server = await startTestRedis({ own: true });
  redis = connectRedis(server.url, { name: 'forget', onError: () => undefined });
  store = new RedisTicketStore(redis, root);
  memory = new RedisTicketMemory(redis, root, clock);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => void (await redis.flushall()));

/** What answers for the assignment service. */
interface TicketsOfMatches {
  page: AssignmentClient['liveTickets'];
  judge: AssignmentClient['judgeTickets'];
}

/** A replica of the queue that watches. */
function aReplica(
  live: TicketsOfMatches = new PostgresLiveTickets(as('assignment', data().db)),
  database: () => Promise<string | null> = async () => null,
) {
  const losses: number[] = [];
  const assignment = {
    liveTickets: live.page.bind(live),
    judgeTickets: live.judge.bind(live),
  };
  const restore = new RestoreTickets(assignment, memory, store, clock);
  const watch = new WatchMemory({
    memory,
    tickets: restore,
    queues: new Queues([{ ...duel, name: queue }]),
    pools: { forget: () => void losses.push(1) },
    feed: { tellGap: () => undefined },
    database: { read: database },
    clock,
    ids: { make: () => 'replica' },
    log,
  });
  return { watch, restore, losses };
}

const enqueue = (ticketId: string, players: readonly string[]) =>
  store.enqueue(
    aTicket({ ticketId, queue, players, enqueuedAt: noon - 1_500, expiresAt: noon + 6_000_000 }),
    noon,
  );

/** Everything in Redis, to be put back later: an older copy, on another server as far as anyone can tell. */
async function copyOfRedis(): Promise<() => Promise<void>> {
  const keys = await redis.keys('*');
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return async () => {
    await redis.flushall();
    await Promise.all(keys.map((key, i) => redis.restore(key, 0, dumps[i] ?? Buffer.alloc(0))));
    await redis.hset(`${root}:memory`, { run: 'another server', matching: 'another server' });
  };
}

describe('a Redis that lost everything', () => {
  it('creates no ticket until those of running matches are restored, with their addresses', async () => {
    const house = new House(data().db);
    await house.server('s1', { slots: 2 });
    const { sessionId } = await house.live('m1');
    await house.wants('m2');
    await expect(enqueue('tkt-new', ['m1-a'])).rejects.toMatchObject({ code: 'tickets-recovering' });

    const { watch } = aReplica();
    await expect(watch.ready()).rejects.toThrow('not known yet');
    await watch.look();
    await watch.ready();

    expect(await enqueue('tkt-new', ['m1-a'])).toEqual({
      outcome: 'busy',
      playerId: 'm1-a',
      ticketId: ticketOf('m1-a'),
    });
    expect(await enqueue('tkt-other', ['someone'])).toEqual({ outcome: 'created' });
    const assignment = { matchId: 'm1', sessionId, serverId: 's1', team: 1, host: 's1.example', port: 7_777 };
    expect(await store.find(ticketOf('m1-b'))).toMatchObject({
      state: 'assigned',
      matchId: 'm1',
      matchState: 'placed',
      assignment,
      closed: false,
      enqueuedAt: noon - 1_500,
    });
    expect((await store.eventsAfter(ticketOf('m1-b'), 0)).map(({ seq, state }) => [seq, state])).toEqual([
      [1, 'waiting'],
      [2, 'assigned'],
    ]);
    expect(await store.find(ticketOf('m2-a'))).toMatchObject({ state: 'placing', matchId: 'm2' });

    await store.close('m1', [ticketOf('m1-a')], 'rated', 'Over.', noon);
    expect(await enqueue('tkt-new', ['m1-a'])).toEqual({ outcome: 'created' });
  });

  it('restores the attributes of a ticket from its match, and its server gets them, too', async () => {
    const house = new House(data().db);
    const host = await house.server('s1');
    const attributes = { skin: 'red', loadout: ['rifle', null] };
    const { players, ...match } = aMatch('m1', [['ann', 'ben'], ['cat']]);
    // A party whose leader is not the first by name.
    const party = players.map((player) => ({
      ...player,
      ...(player.team === 0 ? { ticketId: 'tkt-ab' } : {}),
      ...(player.playerId === 'ben' ? { attributes } : {}),
    }));
    await house.wants('m1', { ...match, players: party });
    await redis.flushall();
    await aReplica().watch.look();
    expect(await store.find('tkt-ab')).toMatchObject({ state: 'placing', attributes });
    expect(await store.find(ticketOf('cat'))).not.toHaveProperty('attributes');
    await house.reserve('m1');
    const [command] = (await house.allocator.commands.commandsAfter(host, 0)) ?? [];
    expect(command?.payload).toMatchObject({ attributes: [{ playerIds: ['ann', 'ben'], attributes }] });
  });

  it('gives a restored ticket to a repeat of its request, and ends it when its match is made again', async () => {
    const house = new House(data().db);
    await house.wants('m1');
    await aReplica().watch.look();
    expect(await enqueue(ticketOf('m1-a'), ['m1-a'])).toEqual({ outcome: 'existing' });
    const words = { back: 'Back.', ended: 'Ended.', left: 'Left.', late: 'Late.' };
    await store.remake('m1', [ticketOf('m1-a')], [], words, noon);
    expect(await store.find(ticketOf('m1-a'))).toMatchObject({ state: 'failed', reason: 'Late.' });
  });

  it('does not hold players of a match that ends while its tickets are restored', async () => {
    const house = new House(data().db);
    await house.server('s1');
    await house.live('m1');
    const live = new PostgresLiveTickets(as('assignment', data().db));
    const { watch } = aReplica({
      page: async (after, limit, formedSince) => {
        const page = await live.page(after, limit, formedSince);
        // Its update finds no ticket.
        await house.db.$executeRaw`UPDATE match SET state = 'rated', closed_at = ${new Date(noon)}`;
        await house.db.livePlayer.deleteMany({});
        return page;
      },
      judge: (tickets) => live.judge(tickets),
    });
    await watch.look();
    expect(await store.find(ticketOf('m1-a'))).toMatchObject({ state: 'assigned', closed: true });
    expect(await enqueue('tkt-new', ['m1-a'])).toEqual({ outcome: 'created' });
  });

  it('is noticed by every replica, once, and restored by one of them', async () => {
    const [one, two] = [aReplica(), aReplica()];
    await one.watch.look();
    await two.watch.look();
    await two.watch.look();
    expect([one.losses, two.losses]).toEqual([[], []]);
    await redis.flushall();
    for (const { watch } of [two, one, two, one]) await watch.look();
    expect([one.losses, two.losses]).toEqual([[1], [1]]);
  });

  it('allows no tickets when it loses everything again while they are restored', async () => {
    const house = new House(data().db);
    await house.wants('m1');
    const live = new PostgresLiveTickets(as('assignment', house.db));
    const { watch } = aReplica({
      page: async (after, limit, formedSince) => {
        const page = await live.page(after, limit, formedSince);
        await redis.flushall();
        return page;
      },
      judge: (tickets) => live.judge(tickets),
    });
    await watch.look();
    await expect(enqueue('tkt-new', ['ann'])).rejects.toMatchObject({ code: 'tickets-recovering' });
  });

  it('uses no epoch of a lease again, and no number of a change of a pool', async () => {
    const { watch } = aReplica();
    await watch.look();
    await enqueue('tkt-1', ['ann']);
    const before = await store.acquireLease(queue, 'one', 60_000);
    const { newest } = await store.poolChanges(queue, 0, 1);
    await redis.flushall();
    await watch.look();
    for (let i = 0; i < 5; i++) await enqueue(`tkt-new-${i}`, [`new-${i}`]);
    const after = await store.acquireLease(queue, 'two', 60_000);
    expect(after?.epoch).toBeGreaterThan(before?.epoch ?? Infinity);
    expect(await store.poolChanges(queue, newest, 10)).toMatchObject({ lost: true });
    const stale = { matchId: 'm9', queue, ticketIds: ['tkt-new-1'], job: '{}', reason: 'Old.' };
    expect(await store.propose(stale, before?.epoch ?? 0, 1_000, noon)).toEqual({ outcome: 'stale-epoch' });
  });
});

describe('running matches', () => {
  it('are read by pages: all of them, or those formed since a moment', async () => {
    const house = new House(data().db);
    const live = new PostgresLiveTickets(as('assignment', house.db));
    for (const id of ['m1', 'm2', 'm3', 'm4']) await house.wants(id);
    await house.db.$executeRaw`UPDATE match SET formed_at = ${new Date(noon - 60_000)} WHERE id = 'm2'`;
    await house.db.livePlayer.deleteMany({ where: { matchId: 'm3' } });
    const matchesIn = async (after: string, limit: number, since: number) => {
      const { tickets, last } = await live.page(after, limit, since);
      return [[...new Set(tickets.map(({ matchId }) => matchId))], last];
    };
    expect(await matchesIn('', 10, 0)).toEqual([['m1', 'm2', 'm4'], 'm4']);
    expect(await matchesIn('', 10, noon - 30_000)).toEqual([['m1', 'm4'], 'm4']);
    expect(await matchesIn('', 1, noon - 30_000)).toEqual([['m1'], 'm1']);
    expect(await matchesIn('m1', 1, noon - 30_000)).toEqual([['m4'], 'm4']);
    expect(await matchesIn('m4', 1, noon - 30_000)).toEqual([[], null]);
  });
});

describe('a Redis that is an older copy', () => {
  it('brings tickets to where their matches are, and releases those whose match is over', async () => {
    const house = new House(data().db);
    await house.server('s1', { slots: 3 });
    const { watch } = aReplica();
    await watch.look();
    for (const id of ['m1-a', 'm1-b', 'm2-a', 'm2-b', 'm3-a']) await enqueue(ticketOf(id), [id]);
    await house.live('m3');
    // The copy knows that this one plays.
    const plays = {
      ticketId: ticketOf('m3-a'),
      matchId: 'm3',
      queue,
      build: 'b1',
      enqueuedAt: noon,
      players: [],
      assignment: anAssignment('m3'),
      attributes: null,
    };
    // While nothing is known to be lost, a ticket that is behind its match is left to the update on its way.
    expect(await memory.restore(plays, 'missing')).toBe('there');
    expect(await store.find(ticketOf('m3-a'))).toMatchObject({ state: 'waiting' });
    expect(await memory.restore(plays, 'all')).toBe('advanced');
    const putBack = await copyOfRedis();

    const { sessionId } = await house.live('m1');
    await house.live('m2');
    await house.db
      .$executeRaw`UPDATE match SET state = 'rated', closed_at = ${new Date(noon)} WHERE id IN ('m2', 'm3')`;
    await house.db.livePlayer.deleteMany({ where: { matchId: { in: ['m2', 'm3'] } } });
    await putBack();
    await expect(enqueue('tkt-new', ['ann'])).rejects.toMatchObject({ code: 'tickets-recovering' });
    await watch.look();
    for (let i = 0; i < 2; i++) while (await watch.compare());

    expect(await store.find(ticketOf('m1-a'))).toMatchObject({
      state: 'assigned',
      assignment: { sessionId },
    });
    expect(await store.waiting(queue, 10)).toEqual([]);
    // It waited in the copy, and its match has been played.
    expect(await store.find(ticketOf('m2-a'))).toMatchObject({ state: 'cancelled', closed: true });
    expect(await store.find(ticketOf('m3-a'))).toMatchObject({ matchState: 'rated', closed: true });
    expect(await store.holdsOf(['m2-a', 'm2-b', 'm3-a'])).toEqual([]);
  });

  it('ends the waiting ticket of a player who is in a running match by another one', async () => {
    const house = new House(data().db);
    const { watch } = aReplica();
    await watch.look();
    await enqueue('tkt-old', ['m1-a', 'friend']);
    await house.wants('m1');
    await redis.hset(`${root}:memory`, { run: 'another server', matching: 'another server' });
    await watch.look();
    expect(await store.find('tkt-old')).toMatchObject({
      state: 'failed',
      messages: [message('ticket.elsewhere')],
    });
    expect(await store.ticketOf('m1-a')).toBe(ticketOf('m1-a'));
    expect(await store.ticketOf('friend')).toBeNull();
  });

  it('ends ready checks without blame: acceptances may be lost', async () => {
    const { watch } = aReplica();
    await watch.look();
    for (const id of ['m1-a', 'm1-b', 'cid', 'dan']) await enqueue(ticketOf(id), [id]);
    const lease = await store.acquireLease(queue, 'matcher', 60_000);
    const ask = (matchId: string, players: readonly string[]) =>
      store.propose(
        {
          matchId,
          queue,
          ticketIds: players.map(ticketOf),
          job: '{}',
          reason: 'Found.',
          readyCheck: { acceptBy: noon + 20_000, reason: 'Come?' },
        },
        lease?.epoch ?? 0,
        8_000,
        noon,
      );
    await ask('m1', ['m1-a', 'm1-b']);
    await ask('m2', ['cid', 'dan']);
    await redis.hset(`${root}:memory`, { run: 'another server', matching: 'another server' });
    expect(await ask('m3', ['cid'])).toEqual({ outcome: 'stale-epoch' });
    // Everybody has accepted this one, says the match.
    await new House(data().db).wants('m1');
    await watch.look();

    expect(await store.find(ticketOf('m1-a'))).toMatchObject({ state: 'placing', matchId: 'm1' });
    expect(await store.find(ticketOf('cid'))).toMatchObject({ state: 'waiting' });
    expect(await store.blamed(10)).toEqual([]);
    expect(await store.overdueReadyChecks(noon + 60_000, 10)).toEqual([]);
    expect(await store.overdueProposals(noon + 60_000, 8_000, 10)).toEqual([]);
  });
});

it('reads of tickets write nothing', async () => {
  await aReplica().watch.look();
  await enqueue('tkt-1', ['ann', 'bob']);
  await enqueue('tkt-2', ['cid']);
  await store.cancel('tkt-2', 'Enough.', noon);
  await redis.hset(`${root}:memory`, { run: 'another server', broken: 'another server' });
  const contents = async () =>
    Promise.all((await redis.keys('*')).toSorted().map(async (key) => [key, await redis.dump(key)]));
  const before = await contents();
  const id = 'tkt-1';
  await Promise.all([
    ...[id, 'tkt-2', 'none'].flatMap((each) => [store.find(each), store.eventsAfter(each, 200)]),
    store.ticketOf('ann'),
    store.holdsOf(['ann', 'cid', 'dan']),
    store.waiting(queue, 10),
    store.poolChanges(queue, 0, 10),
    store.scanPool(queue, '0', 10),
    store.recorded(queue, 0, '0', 10),
    store.tickets([id]),
    memory.look(null, 0),
    memory.openTickets('0'),
  ]);
  expect(await contents()).toEqual(before);
});

describe('a database that lost what Redis kept', () => {
  /** Tickets in a match, about to be placed, and waiting; then the database is empty. */
  async function lostWithTickets(): Promise<void> {
    const house = new House(data().db);
    await house.server('s1', { slots: 2 });
    await house.live('m1');
    await house.wants('m2');
    await aReplica(undefined, async () => 'before').watch.look();
    await enqueue('tkt-waits', ['waits']);
    await data().reset();
  }

  it('ends the tickets of matches that it does not have, and leaves those that wait', async () => {
    await lostWithTickets();
    const { watch, losses } = aReplica(undefined, async () => 'after');
    await watch.look();
    for (const id of ['m1-a', 'm2-a'])
      expect(await store.find(ticketOf(id))).toMatchObject({
        state: 'failed',
        closed: true,
        messages: [message('ticket.match-lost')],
      });
    expect(await store.find('tkt-waits')).toMatchObject({ state: 'waiting', closed: false });
    expect(await enqueue('tkt-new', ['m1-a'])).toEqual({ outcome: 'created' });
    // It is noticed once.
    const lossOf = (await memory.look(null, 0)).loss;
    await watch.look();
    expect([(await memory.look(null, 0)).loss, losses]).toEqual([lossOf, []]);
  });

  it('ends nothing while the database is the same or not known, or nobody says what it has', async () => {
    await lostWithTickets();
    for (const identity of ['before', null]) {
      await aReplica(undefined, async () => identity).watch.look();
      expect(await store.find(ticketOf('m1-a'))).toMatchObject({ state: 'assigned', closed: false });
    }
    const silent = { page: async () => ({ tickets: [], last: null }), judge: async () => null };
    await aReplica(silent, async () => 'after').watch.look();
    expect(await store.find(ticketOf('m1-a'))).toMatchObject({ state: 'assigned', closed: false });
  });

  it('is told from another one by its identity, which the queue may read', async () => {
    const identity = await databaseIdentity(as('queue', data().db));
    expect(identity).toMatch(/^\d+:\d+:[0-9A-F]{8}$/);
    const other = new URL(data().url);
    other.pathname = '/postgres';
    const db = createDb(other.href, { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    expect(await databaseIdentity(db)).toMatch(/^\d+:\d+:[0-9A-F]{8}$/);
    expect(await databaseIdentity(db)).not.toBe(identity);
  });
});
