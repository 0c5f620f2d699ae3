import type { BackfillRequest, SeatFill } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { aMatch, databaseForEach, noon, promisesOf, range, ticketOf } from './fixtures.js';
import { House, type Held } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
const later = noon + 60_000;
const rules = {
  mode: 'duel',
  pool: 'ladder',
  teams: 2,
  teamSize: 2,
  teamGap: [{ afterSeconds: 0, limit: null }],
  placementTimeoutSeconds: 60,
  backfill: { seconds: 30 },
};

/** A running match of two against two, with all players present. */
async function live(h: House, matchId = 'm1', serverId = 's'): Promise<Held> {
  await h.server(serverId);
  const teams = [
    [`${matchId}-a`, `${matchId}-b`],
    [`${matchId}-c`, `${matchId}-d`],
  ];
  return h.live(matchId, { ...aMatch(matchId, teams), rules });
}

const wanted = (over: Partial<BackfillRequest> = {}): BackfillRequest => ({
  backfillId: 'b1',
  fingerprint: 'f',
  team: 0,
  seats: 1,
  leavers: ['m1-a'],
  ...over,
});

const ask = (h: House, { sessionId, server }: Held, over: Partial<BackfillRequest> = {}, now = later) =>
  h.allocator.backfills.request(sessionId, server, wanted(over), now);

const seat = (playerId: string, over: Partial<SeatFill> = {}): SeatFill => ({
  proposalId: `fil-${playerId}`,
  backfillId: 'b1',
  matchId: 'm1',
  ticketId: ticketOf(playerId),
  team: 0,
  players: [{ playerId, mu: 26, sigma: 3 }],
  waitedMs: 1_234,
  ...over,
});

const find = (h: House, { sessionId, server }: Held, backfillId = 'b1') =>
  h.allocator.backfills.find(sessionId, backfillId, server.serverId);

async function promised(from = 0): Promise<{ queue: string; payload: unknown }[]> {
  return (await promisesOf(data().db)).slice(from).map(({ queue, payload }) => ({ queue, payload }));
}

describe('C17 a request for players', () => {
  it('says which platforms may come, as the match was made', async () => {
    const h = house();
    await h.server('s');
    const crossPlay = { platformGroup: 'pc [[["pc"],["xbox"]]]', onlyPlatform: 'pc' };
    const match = aMatch('m1', [
      ['m1-a', 'm1-b'],
      ['m1-c', 'm1-d'],
    ]);
    const held = await h.live('m1', { ...match, rules: { ...rules, ...crossPlay } });
    await ask(h, held);
    expect((await promised()).at(-1)?.payload).toMatchObject({
      kind: 'wanted',
      rules: { mode: 'duel', pool: 'ladder', teams: 2, ...crossPlay },
    });
  });

  it('frees the leaver, and enqueues a search among equals of the remaining players', async () => {
    const h = house();
    const held = await live(h);
    const before = (await promised()).length;
    const { backfill } = { backfill: null, ...(await ask(h, held)) };
    expect(backfill).toEqual({
      backfillId: 'b1',
      sessionId: held.sessionId,
      matchId: 'm1',
      team: 0,
      seats: 1,
      seatsLeft: 1,
      state: 'open',
      playerIds: [],
      requestedAt: later,
      expiresAt: later + 30_000,
    });
    expect(await h.playing()).toEqual(['m1-b', 'm1-c', 'm1-d']);
    const [conduct, news, job] = await promised(before);
    expect(conduct).toMatchObject({ queue: 'conduct', payload: { leavers: ['m1-a'], noShows: [] } });
    expect(news?.payload).toMatchObject({ kind: 'abandoned', ticketIds: [ticketOf('m1-a')] });
    expect(job).toMatchObject({
      queue: 'backfills',
      payload: {
        kind: 'wanted',
        backfillId: 'b1',
        queue: 'ranked',
        region: 'eu',
        seats: 1,
        teams: [
          [{ playerId: 'm1-b', mu: 25 }],
          [
            { playerId: 'm1-c', mu: 25 },
            { playerId: 'm1-d', mu: 25 },
          ],
        ],
        everybody: ['m1-a', 'm1-b', 'm1-c', 'm1-d'],
      },
    });
    expect(await h.disorder()).toEqual([]);
  });

  it('is kept for a remake: a ticket with a leaver is not queued again', async () => {
    const h = house();
    const held = await live(h);
    const party = { ticketId: 'tkt-party' };
    await data().db.matchPlayer.updateMany({ where: { matchId: 'm1', team: 0 }, data: party });
    const before = (await promised()).length;
    await ask(h, held);
    // Another member still plays: the ticket stays open.
    expect((await promised(before)).map(({ queue }) => queue)).toEqual(['conduct', 'backfills']);
    await h.allocator.sessions.callOff(
      held.sessionId,
      held.server,
      { reason: 'x', noShows: [], leavers: [], remake: true },
      later,
    );
    expect((await promised()).at(-1)?.payload).toMatchObject({
      kind: 'remade',
      failedTicketIds: ['tkt-party'],
    });
  });

  it('is idempotent, also concurrently; another request with its id is refused', async () => {
    const h = house();
    const held = await live(h);
    const outcomes = (await Promise.all(range(4).map(() => ask(h, held)))).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['again', 'again', 'again', 'open']);
    expect(await data().db.backfill.count()).toBe(1);
    expect(await ask(h, held, { fingerprint: 'g' })).toEqual({ outcome: 'reused' });
  });

  it('requires a live session of its server, and free seats', async () => {
    const h = house();
    const held = await live(h);
    const refused = { outcome: 'refused', reason: [expect.objectContaining({ params: expect.any(Object) })] };
    expect(await ask(h, { ...held, sessionId: 'none' })).toEqual({ outcome: 'unknown' });
    expect(await ask(h, { ...held, server: { serverId: 'x', incarnation: 1 } })).toEqual({
      outcome: 'not-yours',
    });
    expect(await ask(h, held, { leavers: [] })).toEqual(refused);
    expect(await ask(h, held, { seats: 2 })).toEqual(refused);
    expect(await ask(h, held, { team: 2 })).toEqual(refused);
    expect(await ask(h, held, { leavers: ['stranger'] })).toEqual(refused);
    expect(await h.playing()).toHaveLength(4);
    await ask(h, held);
    expect(await ask(h, held, { backfillId: 'b2', leavers: [] })).toEqual(refused);
    const other = await live(h, 'm2', 's2');
    await data().db.match.update({ where: { id: 'm2' }, data: { rules: { ...rules, backfill: undefined } } });
    expect(await ask(h, other, { backfillId: 'b2', leavers: ['m2-a'] })).toEqual(refused);
    const result = { ranks: [1, 2], digest: 'd', body: {} };
    await h.allocator.sessions.receive(held.sessionId, held.server, result, later);
    expect(await ask(h, held, { backfillId: 'b3' })).toEqual({ outcome: 'withdrawn', state: 'ended' });
  });

  it('ends at its deadline, or with its match; the queue is notified once', async () => {
    const h = house();
    const held = await live(h);
    const other = await live(h, 'm2', 's2');
    await ask(h, held);
    await ask(h, other, { backfillId: 'b2', leavers: ['m2-a'] });
    expect(await h.allocator.backfills.endOverdue(later + 29_999, 10)).toEqual([]);
    await h.allocator.sessions.receive(
      other.sessionId,
      other.server,
      { ranks: [1, 2], digest: 'd', body: {} },
      later,
    );
    expect(await h.allocator.backfills.endOverdue(later + 1, 10)).toEqual(['b2']);
    const ended = await Promise.all(range(3).map(() => h.allocator.backfills.endOverdue(later + 30_000, 10)));
    expect(ended.flat()).toEqual(['b1']);
    expect(await find(h, held)).toMatchObject({ backfill: { state: 'expired' } });
    expect(await find(h, other, 'b2')).toMatchObject({ backfill: { state: 'withdrawn' } });
    expect((await promised()).slice(-2).map(({ payload }) => payload)).toEqual([
      { kind: 'closed', backfillId: 'b2', queue: 'ranked' },
      { kind: 'closed', backfillId: 'b1', queue: 'ranked' },
    ]);
  });
});

describe('C17 a seat in a running match', () => {
  it('is taken once, by the first of two tickets', async () => {
    const h = house();
    const held = await live(h);
    await ask(h, held);
    const outcomes = await Promise.all(['p', 'q'].map((player) => h.matches.seat(seat(player), later)));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['filled', 'gone']);
    expect(await h.playing()).toHaveLength(4);
    const [found] = await data().db.matchPlayer.findMany({ where: { backfillId: 'b1' } });
    expect(found).toMatchObject({ team: 0, mu: 26, waitedMs: 1_234, joinedAt: new Date(later) });
    expect(await find(h, held)).toMatchObject({
      backfill: { state: 'filled', seatsLeft: 0, playerIds: [found?.playerId] },
    });
  });

  it('goes to a ticket in one match only, if two requests compete', async () => {
    const h = house();
    const [held, other] = [await live(h), await live(h, 'm2', 's2')];
    await ask(h, held);
    await ask(h, other, { backfillId: 'b2', leavers: ['m2-a'] });
    const outcomes = await Promise.all([
      h.matches.seat(seat('p'), later),
      h.matches.seat(seat('p', { proposalId: 'fil-2', backfillId: 'b2', matchId: 'm2' }), later),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['busy', 'filled']);
    const rows = await data().db.backfill.findMany({ orderBy: { state: 'asc' } });
    expect(rows.map(({ state, seatsLeft }) => [state, seatsLeft])).toEqual([
      ['filled', 0],
      ['open', 1],
    ]);
    expect(await data().db.proposalVerdict.count()).toBe(3);
  });

  it('is taken or withdrawn, never both', async () => {
    for (const i of range(6)) {
      await data().reset();
      const h = house();
      const held = await live(h);
      await ask(h, held);
      const withdraw = () =>
        h.allocator.backfills.withdraw(held.sessionId, 'b1', held.server.serverId, later);
      const fill = () => h.matches.seat(seat('p'), later);
      if (i % 2 === 0) await Promise.all([withdraw(), fill()]);
      else await Promise.all([fill(), withdraw()]);
      const taken = (await h.playing()).includes('p');
      expect(await find(h, held)).toMatchObject({
        backfill: { state: taken ? 'filled' : 'withdrawn', playerIds: taken ? ['p'] : [] },
      });
      const closings = (await promised()).filter(({ queue }) => queue === 'backfills').length;
      expect(closings).toBe(taken ? 1 : 2);
    }
  });

  it('is taken before the end of the match, or not at all', async () => {
    for (const i of range(4)) {
      await data().reset();
      const h = house();
      const held = await live(h);
      await ask(h, held);
      const end = () =>
        h.allocator.sessions.callOff(
          held.sessionId,
          held.server,
          { reason: 'x', noShows: [], leavers: [], remake: false },
          later,
        );
      const fill = () => h.matches.seat(seat('p'), later);
      const [first, second] = i % 2 === 0 ? [end, fill] : [fill, end];
      await Promise.all([first(), second()]);
      expect(await h.playing()).toEqual([]);
      const joined = await data().db.matchPlayer.findFirst({ where: { playerId: 'p' } });
      const told = (await promised()).findLast(({ queue }) => queue === 'ticket-news')?.payload;
      // A player who joined before the end is notified of the end.
      if (joined) expect(JSON.stringify(told)).toContain(ticketOf('p'));
    }
  });

  it('is refused to former players and after the deadline; a repeated job is a no-op', async () => {
    const h = house();
    const held = await live(h);
    await ask(h, held);
    expect(await h.matches.seat(seat('m1-a'), later)).toEqual({ outcome: 'busy', playerIds: ['m1-a'] });
    expect(await h.matches.seat(seat('p'), later + 30_000)).toEqual({ outcome: 'gone' });
    await h.matches.refuse('fil-q', 'no', [], [ticketOf('q')]);
    expect(await h.matches.seat(seat('q'), later)).toEqual({ outcome: 'decided', verdict: 'refused' });
    expect(await h.matches.seat(seat('p'), later)).toEqual({ outcome: 'filled' });
    const count = (await promised()).length;
    expect(await h.matches.seat(seat('p'), later)).toEqual({ outcome: 'decided', verdict: 'formed' });
    expect(await promised()).toHaveLength(count);
    expect(await h.matches.settle('fil-p', 'late')).toMatchObject({ verdict: 'formed' });
  });
});

describe('C17 the server of a backfilled match', () => {
  const taken = { proposalId: 'fil-p', backfillId: 'b1', ticketId: ticketOf('p') };

  it('is commanded once to admit them, and its answer assigns the ticket', async () => {
    const h = house();
    const held = await live(h);
    await ask(h, held);
    await h.matches.seat(seat('p'), later);
    const servers = await Promise.all(range(3).map(() => h.allocator.backfills.seatFilled(taken, later)));
    expect(servers.filter((serverId) => serverId !== null)).toEqual(['s']);
    const commands = (await h.allocator.commands.commandsAfter(held.server, held.seq)) ?? [];
    expect(commands).toMatchObject([
      { kind: 'add-players', sessionId: held.sessionId, payload: { team: 0, playerIds: ['p'] } },
    ]);
    const seq = commands[0]?.seq ?? 0;
    const done = { status: 'done' } as const;
    expect(await h.allocator.commands.answer(held.server, seq, done, later)).toMatchObject({
      outcome: 'accepted',
    });
    expect((await promised()).at(-1)?.payload).toMatchObject({
      kind: 'joined',
      matchId: 'm1',
      proposalId: 'fil-p',
      ticketId: ticketOf('p'),
      team: 0,
      sessionId: held.sessionId,
      host: 's.example',
      port: 7_777,
    });
    const count = (await promised()).length;
    expect(await h.allocator.commands.answer(held.server, seq, done, later)).toMatchObject({
      outcome: 'again',
    });
    expect(await promised()).toHaveLength(count);
  });

  it('may refuse them: they are free, and their ticket waits again', async () => {
    const h = house();
    const held = await live(h);
    await ask(h, held);
    await h.matches.seat(seat('p'), later);
    await h.allocator.backfills.seatFilled(taken, later);
    const [command] = (await h.allocator.commands.commandsAfter(held.server, held.seq)) ?? [];
    const refused = { status: 'refused', reason: 'full' } as const;
    await h.allocator.commands.answer(held.server, command?.seq ?? 0, refused, later);
    expect(await h.playing()).toEqual(['m1-b', 'm1-c', 'm1-d']);
    expect(await data().db.matchPlayer.count({ where: { playerId: 'p' } })).toBe(0);
    expect((await promised()).at(-1)?.payload).toMatchObject({
      kind: 'remade',
      ticketIds: [ticketOf('p')],
      failedTicketIds: [],
    });
  });

  it('must answer in time: then the ticket waits again, and a late answer is refused', async () => {
    const h = house();
    const held = await live(h);
    await ask(h, held);
    await h.matches.seat(seat('p'), later);
    await h.allocator.backfills.seatFilled(taken, later);
    const [command] = (await h.allocator.commands.commandsAfter(held.server, held.seq)) ?? [];
    expect(await h.allocator.backfills.withdrawSeats(later - 1, 10)).toEqual([]);

    const withdrawn = await Promise.all(range(3).map(() => h.allocator.backfills.withdrawSeats(later, 10)));

    expect(withdrawn.flat()).toEqual(['fil-p']);
    expect(await h.playing()).toEqual(['m1-b', 'm1-c', 'm1-d']);
    const news = (await promised()).filter(({ queue }) => queue === 'ticket-news').slice(-2);
    expect(news.map(({ payload }) => payload)).toEqual([
      expect.not.objectContaining({ kind: 'remade' }),
      expect.objectContaining({ kind: 'remade', ticketIds: [ticketOf('p')], failedTicketIds: [] }),
    ]);
    const done = { status: 'done' } as const;
    expect(await h.allocator.commands.answer(held.server, command?.seq ?? 0, done, later)).toEqual({
      outcome: 'withdrawn',
    });
    expect(await h.allocator.backfills.withdrawSeats(later + 1, 10)).toEqual([]);
    expect(await h.disorder()).toEqual([]);
  });

  it('gets more while seats are free, and the search for the rest uses the present players', async () => {
    const h = house();
    const held = await live(h);
    await ask(h, held, { seats: 2, leavers: ['m1-a', 'm1-b'] });
    await h.matches.seat(seat('p'), later);
    await h.allocator.backfills.seatFilled(taken, later);
    expect((await promised()).at(-1)?.payload).toMatchObject({
      kind: 'wanted',
      backfillId: 'b1',
      seats: 1,
      teams: [[{ playerId: 'p', mu: 26 }], [{ playerId: 'm1-c' }, { playerId: 'm1-d' }]],
    });
    expect(await h.matches.seat(seat('q'), later)).toEqual({ outcome: 'filled' });
    expect(await find(h, held)).toMatchObject({ backfill: { state: 'filled', playerIds: ['p', 'q'] } });
  });
});
