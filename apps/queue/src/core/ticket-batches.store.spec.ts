import type { Proposal, TicketStore } from '@muster/domain';
import { connectRedis, realmRoot } from '@muster/redis';
import { anAssignment, aTicket, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SteppedTicketStore } from '../../test-support/ticket-store.js';
import { RedisTicketStore } from './ticket.store.js';

let server: TestRedis;
let connections: ReturnType<typeof connectRedis>[] = [];
let root: string;
let store: TicketStore;

beforeAll(async () => {
  server = await startTestRedis({ own: true });
  connections = [1, 2].map((n) => connectRedis(server.url, { name: `test-${n}`, onError: () => undefined }));
}, 30_000);

beforeEach(() => {
  root = realmRoot(randomUUID());
  store = storeOf(0);
});

afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

function redis(n = 0): ReturnType<typeof connectRedis> {
  const connection = connections[n];
  if (!connection) throw new Error('not connected');
  return connection;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const storeOf = (n: number): RedisTicketStore => new SteppedTicketStore(redis(n), root);

/** The script calls that the server handles meanwhile, without those that it refuses because it does not know the script. */
async function callsDuring(work: () => Promise<unknown>): Promise<number> {
  await redis().config('RESETSTAT');
  await work();
  const stats = await redis().info('commandstats');
  const found = stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+).*failed_calls=(\d+)/g);
  return [...found].reduce((sum, [, calls, refused]) => sum + Number(calls) - Number(refused), 0);
}

const enqueue = (...ids: string[]) =>
  Promise.all(ids.map((ticketId) => store.enqueue(aTicket({ ticketId }), testTime)));

const aProposal = (matchId: string, ...ticketIds: string[]): Proposal => ({
  matchId,
  queue: 'duel',
  ticketIds,
  job: `job of ${matchId}`,
  reason: 'A match.',
});

async function epochOf(holder = 'matcher'): Promise<number> {
  return (await store.acquireLease('duel', holder, 60_000, testTime))?.epoch ?? 0;
}

/** Claims tickets `a1`, `a2` for match `a` and so on. */
async function claimed(...matches: string[]): Promise<void> {
  await enqueue(...matches.flatMap((match) => [`${match}1`, `${match}2`]));
  const epoch = await epochOf();
  for (const match of matches)
    await store.propose(aProposal(match, `${match}1`, `${match}2`), epoch, 60_000, testTime);
}

const statesOf = async (...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await store.find(id))?.state ?? null));

/** No script can read it. */
const spoil = async (ticketId: string): Promise<void> => {
  await redis().del(`${root}:ticket:${ticketId}`);
  await redis().set(`${root}:ticket:${ticketId}`, 'not a hash');
};

const failed = {
  status: 'rejected',
  reason: expect.objectContaining({ message: expect.stringContaining('WRONGTYPE') }),
};
const done = expect.objectContaining({ status: 'fulfilled' });

describe('requests of one turn', () => {
  it('share one call of each script', async () => {
    const matches = ['a', 'b', 'c', 'd'];
    const ids = matches.flatMap((match) => [`${match}1`, `${match}2`]);
    const each = (what: (match: string, tickets: string[]) => Promise<unknown>) =>
      callsDuring(() => Promise.all(matches.map((match) => what(match, [`${match}1`, `${match}2`]))));
    expect(await callsDuring(() => enqueue(...ids))).toBe(1);
    const epoch = await epochOf();
    expect(
      await each((match, tickets) => store.propose(aProposal(match, ...tickets), epoch, 9, testTime)),
    ).toBe(1);
    expect(await each((match, tickets) => store.confirm(match, tickets, 'Found.', testTime))).toBe(1);
    expect(await each((match, tickets) => store.note(match, tickets, 'Soon.', testTime))).toBe(1);
    const assign = (match: string, tickets: string[]) =>
      Promise.all(tickets.map((id) => store.assign(id, anAssignment(match), 'Go.', testTime)));
    expect(await each(assign)).toBe(1);
    expect(await each((match, tickets) => store.close(match, tickets, 'rated', 'Over.', testTime))).toBe(1);
    for (const id of ids) {
      const states = (await store.eventsAfter(id, 0)).map(({ state }) => state);
      expect(states).toEqual(['waiting', 'proposed', 'placing', 'placing', 'assigned', 'assigned']);
    }
  });

  it('are divided by their number of tickets, so that no call blocks the server for long', async () => {
    const matches = Array.from({ length: 30 }, (_, match) =>
      Array.from({ length: 10 }, (__, ticket) => `t${match}-${ticket}`),
    );
    await enqueue(...matches.flat());
    const epoch = await epochOf();
    const propose = (ids: string[], match: number) =>
      store.propose(aProposal(`m${match}`, ...ids), epoch, 9, testTime);
    expect(await callsDuring(() => Promise.all(matches.map(propose)))).toBe(2);
    expect(new Set(await statesOf(...matches.flat()))).toEqual(new Set(['proposed']));
  });
});

describe('a faulty item of a call', () => {
  it('keeps no other match from its tickets, and leaves its own unchanged', async () => {
    await enqueue('a1', 'a2', 'b1', 'b2', 'c1', 'c2');
    await spoil('b2');
    const epoch = await epochOf();
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((match) =>
        store.propose(aProposal(match, `${match}1`, `${match}2`), epoch, 60_000, testTime),
      ),
    );
    const isClaimed = { status: 'fulfilled', value: { outcome: 'claimed' } };
    expect(outcomes).toEqual([isClaimed, failed, isClaimed]);
    expect(await statesOf('a1', 'a2', 'b1', 'c1', 'c2')).toEqual([
      'proposed',
      'proposed',
      'waiting',
      'proposed',
      'proposed',
    ]);
    expect(await store.waiting('duel', 9)).toEqual(['b1', 'b2']);
    expect(await store.overdueProposals(testTime + 60_000, 1, 9)).toHaveLength(2);
  });

  it('keeps no other ticket from being created', async () => {
    await spoil('t2');
    const outcomes = await Promise.allSettled(
      ['t1', 't2', 't3'].map((ticketId) => store.enqueue(aTicket({ ticketId }), testTime)),
    );
    expect(outcomes).toEqual([done, failed, done]);
    expect(await store.waiting('duel', 9)).toEqual(['t1', 't3']);
    expect(await store.ticketOf('player of t2')).toBeNull();
  });

  const words = { back: 'Again.', ended: 'Over.', left: 'Left.', late: 'Late.' };
  const steps: [string, (match: string, ids: string[]) => Promise<unknown>, string][] = [
    ['confirm', (match, ids) => store.confirm(match, ids, 'Found.', testTime), 'placing'],
    ['release', (match, ids) => store.release(match, ids, [], 'Fell apart.', testTime), 'waiting'],
    ['close', (match, ids) => store.close(match, ids, 'abandoned', 'Over.', testTime), 'failed'],
    ['remake', (match, ids) => store.remake(match, ids, [], words, testTime), 'waiting'],
    ['assign', (match, [id = '']) => store.assign(id, anAssignment(match), 'Go.', testTime), 'assigned'],
    ['join', (match, [id = '']) => store.join(match, id, anAssignment(match), 'Go.', testTime), 'assigned'],
  ];
  it.each(steps)('keeps no other match from its %s', async (_, step, state) => {
    await claimed('a', 'b', 'c');
    await spoil('b1');
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((match) => step(match, [`${match}1`, `${match}2`])),
    );
    expect(outcomes).toEqual([done, failed, done]);
    expect(await statesOf('a1', 'c1')).toEqual([state, state]);
  });

  it('keeps no other match from its note, and no player from cancelling or reading', async () => {
    await claimed('a', 'b', 'c');
    await Promise.all(
      ['a', 'b', 'c'].map((match) => store.confirm(match, [`${match}1`], 'Found.', testTime)),
    );
    await spoil('b1');
    const note = (match: string) => store.note(match, [`${match}1`], 'Soon.', testTime);
    expect(await Promise.allSettled(['a', 'b', 'c'].map(note))).toEqual([done, failed, done]);
    expect((await store.find('c1'))?.reason).toBe('Soon.');
    await enqueue('t1', 't3');
    await spoil('t2');
    const cancel = (id: string) => store.cancel(id, 'Enough.', testTime);
    expect(await Promise.allSettled(['t1', 't2', 't3'].map(cancel))).toEqual([done, failed, done]);
    expect(await statesOf('t1', 't3')).toEqual(['cancelled', 'cancelled']);
    const read = (id: string) => store.eventsAfter(id, 0);
    expect(await Promise.allSettled(['t1', 't2', 't3'].map(read))).toEqual([done, failed, done]);
  });

  it('keeps no other player from accepting, nor from being looked up', async () => {
    await enqueue('a1', 'b1', 'c1');
    const epoch = await epochOf();
    const readyCheck = { acceptBy: testTime + 60_000, reason: 'Come?' };
    for (const match of ['a', 'b', 'c'])
      await store.propose({ ...aProposal(match, `${match}1`), readyCheck }, epoch, 60_000, testTime);
    await spoil('b1');
    const accept = (match: string) =>
      store.accept(`${match}1`, `player of ${match}1`, 'All are in.', 60_000, testTime);
    expect(await Promise.allSettled(['a', 'b', 'c'].map(accept))).toEqual([done, failed, done]);
    await redis().set(`${root}:blame:bob`, 'odd');
    await redis().set(`${root}:proposal:odd`, 'not a hash');
    const held = [['player of a1'], ['bob'], ['player of c1']].map((ids) => store.holdsOf(ids));
    expect(await Promise.allSettled(held)).toEqual([done, failed, done]);
  });

  it('releases no player and tells nobody of a ticket that was not saved', async () => {
    await claimed('a', 'b');
    const told = await redis().xlen(`${root}:events`);
    await redis().config('SET', 'maxmemory', '1');
    try {
      const outcomes = await Promise.allSettled(
        ['a', 'b'].map((match) => store.close(match, [`${match}1`], 'abandoned', 'Over.', testTime)),
      );
      const full = { message: expect.stringContaining('OOM') };
      const refused = { status: 'rejected', reason: expect.objectContaining(full) };
      expect(outcomes).toEqual([refused, refused]);
    } finally {
      await redis().config('SET', 'maxmemory', '0');
    }
    expect(await statesOf('a1', 'b1')).toEqual(['proposed', 'proposed']);
    expect(await store.ticketOf('player of a1')).toBe('a1');
    expect(await redis().xlen(`${root}:events`)).toBe(told);
  });

  it('takes no player from a newer ticket, and releases all others of the call', async () => {
    await claimed('a', 'b');
    await redis().set(`${root}:player:player of a2`, 'newer');
    await Promise.all(
      ['a', 'b'].map((match) => store.close(match, [`${match}1`, `${match}2`], 'rated', 'Over.', testTime)),
    );
    const holders = await Promise.all(
      ['a1', 'a2', 'b1', 'b2'].map((id) => store.ticketOf(`player of ${id}`)),
    );
    expect(holders).toEqual([null, 'newer', null, null]);
  });

  it('is told from an error of the server, which fails all', async () => {
    await claimed('a', 'b');
    await redis().replicaof('127.0.0.1', 1);
    try {
      const outcomes = await Promise.allSettled(
        ['a', 'b'].map((match) => store.confirm(match, [`${match}1`], 'Found.', testTime)),
      );
      // As the connection knows it, which then looks for the present primary.
      const demoted = { message: expect.stringMatching(/^READONLY|: -READONLY/) };
      const lost = { status: 'rejected', reason: expect.objectContaining(demoted) };
      expect(outcomes).toEqual([lost, lost]);
    } finally {
      await redis(1).replicaof('NO', 'ONE');
    }
  });
});

describe('a ticket of any length', () => {
  it('is read as it was written, returns to the queue, and releases its players', async () => {
    const players = (n: number) => Array.from({ length: n }, (_, i) => `player ${i} of ${n}`);
    const sizes = Array.from({ length: 12 }, (_, i) => i + 1);
    const tickets = sizes.map((n) => aTicket({ ticketId: `t${n}`, players: players(n) }));
    for (const ticket of tickets) await store.enqueue(ticket, testTime);
    const ids = tickets.map(({ ticketId }) => ticketId);
    expect(await store.tickets(ids)).toEqual(tickets);
    const epoch = await epochOf();
    await store.propose(aProposal('m1', ...ids), epoch, 60_000, testTime);
    const words = { back: 'Again.', ended: 'Over.', left: 'Left.', late: 'Late.' };
    await store.remake('m1', ids, [], words, testTime);
    expect((await store.scanPool('duel', '0', 99)).tickets).toEqual(expect.arrayContaining(tickets));
    await store.propose(aProposal('m2', ...ids), epoch, 60_000, testTime);
    await store.close('m2', ids, 'rated', 'Over.', testTime);
    const holders = await Promise.all(sizes.flatMap(players).map((player) => store.ticketOf(player)));
    expect(new Set(holders)).toEqual(new Set([null]));
  });
});

describe('a party that returns without a no-show', () => {
  const words = { back: 'Again.', ended: 'Over.', left: 'Left.', late: 'Late.' };

  it('returns once, by two jobs at once and while its levels change, and keeps the newest levels', async () => {
    for (let round = 0; round < 20; round++) {
      const [id, matchId] = [`p${round}`, `m${round}`];
      const players = range(12).map((n) => `player ${n} of ${id}`);
      const [gone = '', leader = ''] = players;
      const party = aTicket({ ticketId: id, players });
      await store.enqueue(party, testTime);
      await store.propose(aProposal(matchId, id), await epochOf(), 60_000, testTime);
      const levels = party.players.map((player) => ({ ...player, mu: player.mu + 1 }));
      const out = { out: [gone], expiresAt: testTime + 1_000 + round };
      const [, , , relevelled] = await Promise.all([
        storeOf(0).remake(matchId, [id], [], words, testTime, out),
        storeOf(1).remake(matchId, [id], [], words, testTime, out),
        storeOf(1).enqueue(aTicket({ ticketId: `new ${id}`, players: [gone] }), testTime),
        storeOf(round % 2).relevel(party, levels),
      ]);
      const record = await store.find(id);
      const wanted = relevelled === 'relevelled' ? levels : party.players;
      expect(record).toMatchObject({ state: 'waiting', seq: 3, players: wanted.slice(1) });
      expect([await store.ticketOf(leader), await store.ticketOf(gone)]).toEqual([
        id,
        (await store.find(`new ${id}`)) ? `new ${id}` : null,
      ]);
      await store.cancel(id, 'Over.', testTime);
    }
  });
});

describe('the lease, with many proposals in a call', () => {
  it('lets no proposal of an older epoch claim, whatever else the call carries', async () => {
    await enqueue('a1', 'b1', 'c1');
    const stale = await epochOf('one');
    await store.releaseLease('duel', 'one');
    const epoch = await epochOf('other');
    const outcomes = await Promise.all(
      [stale, epoch, stale].map((each, i) => {
        const match = 'abc'[i] ?? '';
        return store.propose(aProposal(match, `${match}1`), each, 60_000, testTime);
      }),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stale-epoch', 'claimed', 'stale-epoch']);
    expect(await statesOf('a1', 'b1', 'c1')).toEqual(['waiting', 'proposed', 'waiting']);
  });

  it('lets two replicas that propose overlapping tickets in one moment claim each match as a whole', async () => {
    const ids = Array.from({ length: 60 }, (_, i) => `t${i}`);
    await enqueue(...ids);
    const epoch = await epochOf();
    // Threes of one replica overlap those of the other by one or two tickets.
    const threes = (from: number) =>
      Array.from({ length: 19 }, (_, i) => ids.slice(from + 3 * i, from + 3 * i + 3));
    const replicas = [storeOf(0), storeOf(1)].map((replica, n) =>
      threes(n).map(async (tickets, i) => {
        const proposal = aProposal(`m${n}-${i}`, ...tickets);
        return { proposal, ...(await replica.propose(proposal, epoch, 60_000, testTime)) };
      }),
    );
    const results = await Promise.all(replicas.flat());
    const won = results.filter(({ outcome }) => outcome === 'claimed').map(({ proposal }) => proposal);
    const taken = won.flatMap(({ ticketIds }) => ticketIds);
    expect(new Set(taken).size).toBe(taken.length);
    for (const { matchId, ticketIds } of won)
      for (const id of ticketIds) expect(await store.find(id)).toMatchObject({ state: 'proposed', matchId });
    const free = ids.filter((id) => !taken.includes(id));
    expect((await store.waiting('duel', 99)).toSorted()).toEqual(free.toSorted());
  });
});
