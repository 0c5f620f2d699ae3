import { writeReason } from '@muster/contracts';
import { message, ServerSuperseded } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { aServer, databaseForEach, noon, timeouts, promisesOf, range, tally, ticketOf } from './fixtures.js';
import { House } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

describe('the answer of a server', () => {
  it('"done" brings the match onto the server and tells its players where', async () => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');

    expect(await h.accept(held)).toEqual({ outcome: 'accepted', matchId: 'm1' });

    const at = new Date(noon);
    const match = { state: 'placed', sessionId: held.sessionId, serverId: 's', region: 'eu', placedAt: at };
    expect(await h.db.match.findUnique({ where: { id: 'm1' } })).toMatchObject(match);
    expect(await h.db.session.findMany()).toEqual([
      expect.objectContaining({ state: 'live', host: 's.example', port: 7_777, liveAt: at, closedAt: null }),
    ]);
    expect(await h.nextAttempt('m1')).toBeNull();
    expect(await h.allocator.commands.commandsAfter(held.server, 0)).toEqual([]);
    const ticketIds = [ticketOf('m1-a'), ticketOf('m1-b')];
    expect((await promisesOf(h.db)).at(-1)).toEqual({
      owner: 'allocator',
      queue: 'ticket-news',
      jobId: 'placed-m1',
      payload: {
        kind: 'placed',
        matchId: 'm1',
        ticketIds,
        teams: ticketIds.map((ticketId, team) => ({ ticketId, team })),
        reason: 'Your match is ready in eu.',
        messages: [{ code: 'placement.ready', params: { region: 'eu' } }],
        sessionId: held.sessionId,
        serverId: 's',
        region: 'eu',
        host: 's.example',
        port: 7_777,
      },
    });
    expect(await h.disorder()).toEqual([]);
  });

  it('may name an address of the session’s own', async () => {
    const h = house();
    await h.server('s');
    const { server, seq } = await h.reserved('m1');
    await h.allocator.commands.answer(server, seq, { status: 'done', host: 'node-7', port: 30_001 }, noon);

    expect(await h.db.session.findMany()).toEqual([
      expect.objectContaining({ host: 'node-7', port: 30_001 }),
    ]);
  });

  it.each(['accept', 'refuse'] as const)('counts once when it comes ten times at once: %s', async (say) => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');

    const results = await Promise.all(range(10).map(() => h[say](held)));

    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ accepted: 1, again: 9 });
    expect(await h[say](held)).toMatchObject({ outcome: 'again' });
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', say === 'accept' ? 'placed' : 'placing']);
    expect(await h.disorder()).toEqual([]);
  });

  it('stays what it was first', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const [done, refused] = [await h.live('m1'), await h.reserved('m2')];
    await h.refuse(refused);

    expect(await h.refuse(done)).toEqual({ outcome: 'withdrawn' });
    expect(await h.accept(refused)).toEqual({ outcome: 'withdrawn' });
    expect(await h.sessionOf(done)).toMatchObject({ state: 'live' });
    expect(await h.sessionOf(refused)).toMatchObject({ state: 'refused', reason: 'full' });
  });

  it('is unknown to a command that there is not', async () => {
    const h = house();
    const server = await h.server('s');
    const other = await h.server('other', { build: 'b0' });
    const { seq } = await h.reserved('m1');

    expect(await h.allocator.commands.answer(server, 7, { status: 'done' }, noon)).toEqual({
      outcome: 'unknown',
    });
    expect(await h.allocator.commands.answer(other, seq, { status: 'done' }, noon)).toEqual({
      outcome: 'unknown',
    });
  });

  it('is not taken from an earlier registration of the server', async () => {
    const h = house();
    const old = await h.server('s');
    await h.server('s');
    const held = await h.reserved('m1');

    expect(await h.accept({ ...held, server: old })).toEqual({ outcome: 'withdrawn' });
    expect(await h.sessionOf(held)).toEqual({ state: 'reserved', incarnation: 2, reason: null });
    expect(await h.accept(held)).toEqual({ outcome: 'accepted', matchId: 'm1' });
  });

  it('comes too late when the session was given to the next, and the server is told to end it', async () => {
    const h = house();
    await h.server('a');
    await h.server('b');
    const held = await h.reserved('m1');
    const { answerMs } = timeouts;

    expect(await h.allocator.sessions.withdrawUnanswered(noon + answerMs - 1, 10)).toEqual([]);
    expect(await h.allocator.sessions.withdrawUnanswered(noon + answerMs, 10)).toEqual(['m1']);
    expect(await h.placedOn('m1', noon + answerMs)).toBe('b');
    expect(await h.accept(held, noon + answerMs)).toEqual({ outcome: 'withdrawn' });

    expect(await h.sessionOf(held)).toMatchObject({ state: 'unanswered' });
    expect(await h.allocator.commands.commandsAfter(held.server, 0)).toEqual([
      {
        seq: 2,
        kind: 'end-session',
        sessionId: held.sessionId,
        payload: writeReason([message('session.answered-late')]),
      },
    ]);
    const done = await h.allocator.commands.answer(held.server, 2, { status: 'done' }, noon);
    expect(done).toEqual({ outcome: 'accepted', matchId: null });
    expect(await h.allocator.commands.commandsAfter(held.server, 0)).toEqual([]);
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', 'placing']);
  });
});

describe('a server that registers anew', () => {
  it('keeps the live sessions that it resumes and loses all others', async () => {
    const h = house();
    const old = await h.server('s', { slots: 3 });
    const [kept, dropped, asked] = [await h.live('m1'), await h.live('m2'), await h.reserved('m3')];
    const resume = [kept.sessionId, asked.sessionId, 'ses_unheard-of'];

    expect(await h.allocator.fleet.register(aServer('s', { slots: 3, resume }), noon + 1)).toEqual({
      incarnation: 2,
      resumed: [kept.sessionId],
    });

    expect(await h.sessionOf(kept)).toEqual({ state: 'live', incarnation: 2, reason: null });
    expect(await h.sessionOf(dropped)).toMatchObject({ state: 'lost' });
    expect(await h.sessionOf(asked)).toMatchObject({ state: 'lost' });
    expect(await Promise.all(['m1', 'm2', 'm3'].map((id) => h.stateOf(id)))).toEqual([
      'placed',
      'abandoned',
      'formed',
    ]);
    expect(await h.playing()).toEqual(['m1-a', 'm1-b', 'm3-a', 'm3-b']);
    expect(await h.matchUpdateJobs('m2')).toEqual(['formed', 'placed', 'remade']);
    expect(await h.allocator.placement.duePlacements(noon + 1, 10)).toEqual(['m3']);
    expect(await h.disorder()).toEqual([]);
    // The old registration has no say any more.
    expect(await h.accept(asked)).toEqual({ outcome: 'withdrawn' });
    expect(await h.allocator.fleet.heartbeat(old, { cpuLoad: 0 }, noon, noon)).toBeNull();
    expect(await h.allocator.commands.commandsAfter(old, 0)).toBeNull();
    expect(await h.allocator.commands.commandsAfter({ ...old, incarnation: 2 }, 0)).toEqual([]);
  });
});

describe('a server that falls silent', () => {
  it('loses its live matches, whose players are free and told, and hands on what it was asked', async () => {
    const h = house();
    const silent = await h.server('silent', { slots: 2 });
    const [live, asked] = [await h.live('m1'), await h.reserved('m2')];
    const other = await h.server('other');
    const now = noon + timeouts.silenceMs + 1;
    await h.allocator.fleet.heartbeat(other, { cpuLoad: 0 }, noon, now - 1);

    expect(await h.allocator.silence.loseSilent(timeouts, now, 10)).toEqual([]);
    await h.allocator.fleet.heartbeat(other, { cpuLoad: 0 }, noon, now);
    expect(await h.allocator.silence.loseSilent(timeouts, now, 10)).toEqual(['silent']);
    expect(await h.allocator.silence.loseSilent(timeouts, now, 10)).toEqual([]);

    expect(await h.sessionOf(live)).toMatchObject({
      state: 'lost',
      reason: expect.stringContaining('silent'),
    });
    expect(await h.db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      state: 'abandoned',
      closedAt: new Date(now),
    });
    expect(await h.playing()).toEqual(['m2-a', 'm2-b']);
    expect((await promisesOf(h.db)).find(({ jobId }) => jobId === 'remade-m1')).toMatchObject({
      owner: 'allocator',
      queue: 'ticket-news',
      payload: { ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')] },
    });
    expect(await h.accept(asked)).toEqual({ outcome: 'withdrawn' });
    expect(await h.allocator.fleet.heartbeat(silent, { cpuLoad: 0 }, noon, now)).toBeNull();
    expect(await h.placedOn('m2', now)).toBe('other');
    expect(await h.disorder()).toEqual([]);
  });
});

describe('a reserved session that is lost', () => {
  it.each<[string, (h: House) => Promise<unknown>]>([
    ['fell silent', (h) => h.allocator.silence.loseSilent(timeouts, noon + timeouts.silenceMs + 1, 10)],
    ['left', (h) => h.allocator.fleet.leave('s', noon + 1)],
    ['was started anew', (h) => h.allocator.fleet.register(aServer('s'), noon + 1)],
  ])('tells its tickets that the next best is asked: its server %s', async (_, end) => {
    const h = house();
    await h.server('s');
    await h.reserved('m1');
    await end(h);
    const news = (await promisesOf(h.db)).filter(({ jobId }) => jobId === 'placing-m1');
    expect(news.map(({ payload }) => payload)).toEqual([
      {
        kind: 'placing',
        matchId: 'm1',
        ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')],
        reason: 'The server that was asked is gone; the next best is asked.',
        messages: [{ code: 'placement.server-gone', params: {} }],
      },
    ]);
  });
});

describe('a heartbeat', () => {
  it.each([
    ['names the session', noon + 1, true, 'live'],
    ['does not speak of sessions', noon + 1, undefined, 'live'],
    ['does not name one that is just live', noon, false, 'live'],
    ['does not name one that is live for long, for the first time', noon + 1, false, 'live'],
  ])('that %s', async (_, forgottenBefore, named, state) => {
    const h = house();
    await h.server('s', { slots: 2 });
    const held = await h.live('m1');
    const asked = await h.reserved('m2');
    const sessions = named === undefined ? undefined : named ? [held.sessionId] : [];

    const standing = await h.allocator.fleet.heartbeat(
      held.server,
      { cpuLoad: 0.5, sessions },
      forgottenBefore,
      noon + 2,
    );

    expect(standing).toEqual({ state: 'ready', slotsInUse: 2 });
    expect(await h.sessionOf(held)).toMatchObject({ state });
    expect(await h.sessionOf(asked)).toMatchObject({ state: 'reserved' });
    expect(await h.stateOf('m1')).toBe('placed');
    expect(await h.allocator.fleet.servers('', 10)).toEqual([
      {
        serverId: 's',
        region: 'eu',
        build: 'b1',
        fleet: 'default',
        host: 's.example',
        labels: {},
        port: 7_777,
        slots: 2,
        slotsInUse: 2,
        state: 'ready',
        cpuLoad: 0.5,
        tickLoad: null,
        overloaded: false,
        heartbeatAt: noon + 2,
      },
    ]);
    expect(await h.disorder()).toEqual([]);
  });

  it('that does not name a session, and none after it for long, loses it', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const held = await h.live('m1');
    const kept = await h.live('m2');
    const beat = (at: number) =>
      h.allocator.fleet.heartbeat(held.server, { cpuLoad: 0, sessions: [kept.sessionId] }, at - 1_000, at);
    await beat(noon + 2_000);
    await beat(noon + 2_999);
    expect(await h.sessionOf(held)).toMatchObject({ state: 'live' });
    await beat(noon + 3_001);
    expect(await h.sessionOf(held)).toMatchObject({ state: 'lost' });
    expect(await h.sessionOf(kept)).toMatchObject({ state: 'live' });
    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(await h.disorder()).toEqual([]);
  });

  it('that was sent before a session began and is heard long after loses nothing, once or many times', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const held = await h.live('m1');
    const beat = (at: number, named: boolean) =>
      h.allocator.fleet.heartbeat(
        held.server,
        { cpuLoad: 0, sessions: named ? [held.sessionId] : [] },
        at - 1_000,
        at,
      );
    // A replica that stood still for 45 s goes on with all that was sent to it meanwhile.
    for (let i = 0; i < 15; i++) await beat(noon + 45_000 + i, false);
    await beat(noon + 45_100, true);
    for (let i = 0; i < 15; i++) await beat(noon + 90_000 + i, false);
    await beat(noon + 90_100, true);
    await beat(noon + 92_000, true);
    expect(await h.sessionOf(held)).toMatchObject({ state: 'live' });
    expect(await h.db.session.findUnique({ where: { id: held.sessionId } })).toMatchObject({
      omittedAt: null,
    });
    expect(await h.stateOf('m1')).toBe('placed');
  });

  it('of a server that nobody knows has no answer', async () => {
    const h = house();
    const nobody = { serverId: 'nobody', incarnation: 1 };
    expect(await h.allocator.fleet.heartbeat(nobody, { cpuLoad: 0 }, noon, noon)).toBeNull();
    expect(await h.allocator.commands.commandsAfter(nobody, 0)).toBeNull();
    expect(await h.allocator.fleet.drain('nobody')).toBeNull();
    expect(await h.allocator.fleet.leave('nobody', noon)).toBeNull();
  });
});

describe('a server that goes', () => {
  it('keeps what it plays while it drains, and loses it when it leaves', async () => {
    const h = house();
    const server = await h.server('s', { slots: 2 });
    const held = await h.live('m1');

    expect(await h.allocator.fleet.drain('s')).toEqual({ state: 'draining', slotsInUse: 1 });
    expect(await h.allocator.fleet.heartbeat(server, { cpuLoad: 0 }, noon, noon)).toMatchObject({
      state: 'draining',
    });
    expect(await h.sessionOf(held)).toMatchObject({ state: 'live' });
    expect(await h.allocator.fleet.leave('s', noon)).toEqual({ state: 'left', slotsInUse: 0 });
    expect(await h.allocator.fleet.leave('s', noon)).toEqual({ state: 'left', slotsInUse: 0 });
    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', 'placed', 'remade']);
    expect(await h.allocator.fleet.drain('s')).toEqual({ state: 'left', slotsInUse: 0 });
    expect(await h.disorder()).toEqual([]);
  });

  it('does so by its latest registration alone', async () => {
    const h = house();
    const { fleet, silence } = h.allocator;
    const former = await h.server('s');
    const { incarnation } = await h.server('s');
    const calls = (acting: number): (() => Promise<unknown>)[] => [
      () => fleet.drain('s', 'server', acting),
      () => fleet.undrain('s', acting),
      () => fleet.leave('s', noon, false, acting),
    ];
    for (const call of calls(former.incarnation)) await expect(call()).rejects.toThrow(ServerSuperseded);
    expect(await fleet.drain('s', 'server', incarnation)).toMatchObject({ state: 'draining' });
    for (const call of calls(former.incarnation)) await expect(call()).rejects.toThrow(ServerSuperseded);
    expect(await fleet.undrain('s', incarnation)).toMatchObject({ state: 'ready' });
    for (const time of range(2))
      expect(await fleet.leave('s', noon + time, false, incarnation)).toMatchObject({ state: 'left' });

    const lost = await h.server('s');
    expect(await silence.loseSilent(timeouts, noon + 2 * timeouts.silenceMs, 10)).toHaveLength(1);
    for (const call of calls(incarnation)) await expect(call()).rejects.toThrow(ServerSuperseded);
    expect(await fleet.leave('s', noon, false, lost.incarnation)).toMatchObject({ state: 'left' });
  });
});

describe('a command that only a newer version knows', () => {
  it('is kept for a replica that knows it: nothing ends, nothing is handed over past it, and its refusal sends no match on', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const held = await h.live('m1');
    const kept = {
      serverId: 's',
      seq: 50,
      sessionId: held.sessionId,
      kind: 'sing',
      payload: {},
      state: 'pending',
    };
    await h.db.command.create({ data: { ...kept, createdAt: new Date() } });
    await h.db.command.create({
      data: { ...kept, seq: 51, kind: 'end-session', payload: { reason: 'over' }, createdAt: new Date() },
    });
    const unknown: [string, number][] = [];
    const take = () =>
      h.allocator.commands.commandsAfter(
        held.server,
        held.seq,
        (kind, seq) => void unknown.push([kind, seq]),
      );

    expect(await take()).toEqual([]);
    expect(unknown).toEqual([['sing', 50]]);

    // No replica came that knows it: those after it are handed over, and it stays where it is.
    await h.db.command.updateMany({ where: { seq: 50 }, data: { createdAt: new Date(Date.now() - 60_000) } });
    expect((await take())?.map(({ seq }) => seq)).toEqual([51]);
    expect(await h.db.command.count({ where: { kind: 'sing', state: 'pending' } })).toBe(1);

    const refused = { status: 'refused', reason: 'cannot sing' } as const;
    expect(await h.allocator.commands.answer(held.server, 50, refused, noon)).toEqual({
      outcome: 'accepted',
      matchId: null,
    });
    expect(await h.stateOf('m1')).toBe('placed');
    expect(await h.disorder()).toEqual([]);
  });
});

describe('a match that goes on for too long', () => {
  it('is abandoned, and its server told to end it', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const held = await h.live('m1');
    await h.reserved('m2');

    expect(await h.allocator.sessions.loseOverdue(noon, noon + 9, 10)).toEqual([]);
    expect(await h.allocator.sessions.loseOverdue(noon + 1, noon + 9, 10)).toEqual([held.sessionId]);
    expect(await h.allocator.sessions.loseOverdue(noon + 1, noon + 9, 10)).toEqual([]);
    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(
      (await h.allocator.commands.commandsAfter(held.server, 0))?.map(({ seq, kind }) => [seq, kind]),
    ).toEqual([
      [2, 'create-session'],
      [3, 'end-session'],
    ]);
    expect(await h.disorder()).toEqual([]);
  });
});
