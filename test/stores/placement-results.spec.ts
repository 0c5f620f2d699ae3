import { message, type MessageCode, type ReceivedResult, type ResultReceived } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { blocked, Gate } from '../support/gate.js';
import { aMatch, aServer, databaseForEach, noon, timeouts, promisesOf, range, tally } from './fixtures.js';
import { House, type Held } from './house.js';

const data = databaseForEach();
const house = (): House => new House(data().db);

function result(ranks: readonly number[] = [1, 2]): ReceivedResult {
  return { ranks, digest: `digest of ${ranks.join()}`, body: { ranks } };
}

function report(h: House, { sessionId, server }: Held, said = result()): Promise<ResultReceived> {
  return h.allocator.sessions.receive(sessionId, server, said, noon + 60_000);
}

/** By the token of the registration that was lost, or by a later one: the server hosted it. */
function lateReport(h: House, { sessionId, server }: Held, at: number): Promise<ResultReceived> {
  return h.allocator.sessions.receive(
    sessionId,
    { ...server, incarnation: server.incarnation + 1 },
    result(),
    at,
  );
}

async function ratedSince(h: House): Promise<void> {
  await h.db.ratingPool.create({ data: { name: 'ladder' } });
  const at = new Date(noon + 2 * timeouts.silenceMs);
  await h.db.rating.create({
    data: {
      pool: 'ladder',
      generation: 1,
      playerId: 'm1-a',
      state: {},
      matches: 1,
      lastRatedAt: at,
      updatedAt: at,
    },
  });
}

/** The tickets of the lost match have returned to the queue, and are in the next one. */
async function inAnotherMatch(h: House): Promise<void> {
  await h.matches.form(aMatch('m2', [['m1-a'], ['m1-b']]));
}

/** Nothing counts that comes late. */
const strict = {
  rules: { mode: 'duel', placementTimeoutSeconds: 60, resumeSeconds: 0, lateResultSeconds: 0 },
};

describe('the result of a session', () => {
  it('ends the match, frees the slot and promises to rate it', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');

    expect(await report(h, held, result([2, 1]))).toEqual({ outcome: 'counted', matchId: 'm1' });

    const at = new Date(noon + 60_000);
    expect(await h.db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      state: 'ended',
      ranks: [2, 1],
      endedAt: at,
    });
    expect(await h.sessionOf(held)).toMatchObject({ state: 'ended' });
    expect(await h.db.result.findMany()).toEqual([
      {
        sessionId: held.sessionId,
        matchId: 'm1',
        digest: 'digest of 2,1',
        body: { ranks: [2, 1] },
        receivedAt: at,
      },
    ]);
    expect((await promisesOf(h.db)).at(-1)).toEqual({
      owner: 'allocator',
      queue: 'rate-match',
      jobId: 'rate-m1',
      payload: { matchId: 'm1' },
    });
    // They stay in the match until it is rated.
    expect(await h.playing()).toEqual(['m1-a', 'm1-b']);
    await h.wants('m2');
    expect(await h.placedOn('m2')).toBe('s');
  });

  it('is checked by the rules of the pool that are in force', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    const claims = { scores: [3, 16], players: [{ playerId: 'm1-a', stats: { kills: -5 } }] };
    const said = { ...result(), claims };
    const faults = [{ path: 'scores' }, { path: 'players.0.stats.kills' }];
    expect(await report(h, held, said)).toMatchObject({ outcome: 'senseless', faults });
    const rules = { results: { scores: 'lower-wins', stats: { kills: { min: -10 } } } };
    await h.db.ratingPool.create({ data: { name: 'ladder', version: 2 } });
    for (const [version, each] of [
      [1, {}],
      [2, rules],
    ] as const)
      await h.db.poolVersion.create({
        data: { pool: 'ladder', version, rules: each, calibration: {}, why: 'a test' },
      });
    expect(await report(h, held, said)).toEqual({ outcome: 'counted', matchId: 'm1' });
  });

  it('counts once when it is reported twenty times at once', async () => {
    const h = house();
    await h.server('s', { slots: 5 });
    for (const i of range(5)) {
      const held = await h.live(`m${i}`);

      const results = await Promise.all(range(20).map(() => report(h, held)));

      expect(tally(results.map(({ outcome }) => outcome))).toEqual({ counted: 1, again: 19 });
    }
    expect(await h.db.result.count()).toBe(5);
    expect(await h.db.outbox.count({ where: { queue: 'rate-match' } })).toBe(5);
    expect(await h.allocator.sessions.conflicts(10)).toEqual([]);
  });

  it('counts one of two that contradict each other at the same time, and keeps the other', async () => {
    const h = house();
    await h.server('s', { slots: 20 });
    for (const i of range(20)) {
      const held = await h.live(`m${i}`);
      const said = [result([1, 2]), result([2, 1])];

      const results = await Promise.all(said.map((one) => report(h, held, one)));

      expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['contradicts', 'counted']);
      const counted = said[results.findIndex(({ outcome }) => outcome === 'counted')];
      expect(await h.db.match.findUnique({ where: { id: `m${i}` } })).toMatchObject({
        ranks: counted?.ranks,
      });
    }
    expect(await h.allocator.sessions.conflicts(50)).toHaveLength(20);
  });

  it('counts though the answer that created the session is still under way, and that answer is a repeat then', async () => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');

    expect(await report(h, held)).toEqual({ outcome: 'counted', matchId: 'm1' });

    expect(await h.stateOf('m1')).toBe('ended');
    expect(await h.sessionOf(held)).toMatchObject({ state: 'ended' });
    const said = await h.allocator.commands.answer(held.server, held.seq, { status: 'done' }, noon + 61_000);
    expect(said).toEqual({ outcome: 'again', matchId: null });
    const order = (await promisesOf(h.db)).map(({ jobId }) => jobId);
    expect(order.indexOf('placed-m1')).toBeLessThan(order.indexOf('rate-m1'));
    expect(await h.db.resultConflict.findMany()).toEqual([]);
    expect(await h.disorder()).toEqual([]);
  });

  it('counts once whether the answer or it comes first, when both come at once', async () => {
    for (let round = 0; round < 10; round++) {
      const h = house();
      await h.server(`s${round}`);
      const held = await h.reserved(`m${round}`);
      const [said, received] = await Promise.all([
        h.allocator.commands.answer(held.server, held.seq, { status: 'done' }, noon + 60_000),
        report(h, held),
      ]);
      expect(['accepted', 'again']).toContain(said.outcome);
      expect(received).toEqual({ outcome: 'counted', matchId: `m${round}` });
      expect(await h.stateOf(`m${round}`)).toBe('ended');
    }
  });

  it('is kept for the operators when it contradicts the one that counted, each once', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    await report(h, held);

    expect(await report(h, held, result([2, 1]))).toEqual({ outcome: 'contradicts', matchId: 'm1' });
    expect(await report(h, held, result([2, 1]))).toEqual({ outcome: 'contradicts', matchId: 'm1' });
    expect(await report(h, held, result([1, 1]))).toEqual({ outcome: 'contradicts', matchId: 'm1' });
    expect(await report(h, held)).toEqual({ outcome: 'again', matchId: 'm1' });

    expect(
      (await h.allocator.sessions.conflicts(10)).map(({ matchId, body }) => ({ matchId, body })),
    ).toEqual([
      { matchId: 'm1', body: { ranks: [1, 1] } },
      { matchId: 'm1', body: { ranks: [2, 1] } },
    ]);
    const words = 'another result of this session was counted';
    const [conflict] = await h.allocator.sessions.conflicts(1);
    expect(conflict).toMatchObject({ reason: words, messages: [message('result.counted-before')] });
    await h.db.$executeRaw`UPDATE result_conflict SET messages = NULL`;
    const [old] = await h.allocator.sessions.conflicts(1);
    expect(old).toMatchObject({ reason: words });
    expect(old?.messages).toBeUndefined();
    expect(await h.db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({ ranks: [1, 2] });
  });

  it('has to come from the server that plays it, and to speak of all teams', async () => {
    const h = house();
    await h.server('s');
    const other = await h.server('other', { build: 'b0' });
    const held = await h.live('m1');

    expect(await report(h, { ...held, server: other })).toEqual({ outcome: 'not-yours' });
    expect(await report(h, { ...held, sessionId: 'ses_unheard-of' })).toEqual({ outcome: 'unknown' });
    expect(await report(h, held, result([1, 2, 3]))).toEqual({ outcome: 'wrong-teams', teams: 2 });
    expect(await h.stateOf('m1')).toBe('placed');
    expect(await report(h, held)).toMatchObject({ outcome: 'counted' });
  });

  it('of a session that was lost by mistake counts, and its match is rated', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    const at = noon + timeouts.silenceMs + 1;
    await h.allocator.silence.loseSilent(timeouts, at, 10);
    expect(await h.stateOf('m1')).toBe('abandoned');

    expect(await lateReport(h, held, at + 60_000)).toEqual({ outcome: 'counted', matchId: 'm1' });
    expect(await lateReport(h, held, at + 60_000)).toEqual({ outcome: 'again', matchId: 'm1' });
    expect(await h.db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      state: 'ended',
      closedAt: null,
    });
    expect(await h.sessionOf(held)).toMatchObject({ state: 'ended' });
    expect((await promisesOf(h.db)).at(-1)).toMatchObject({
      queue: 'rate-match',
      payload: { matchId: 'm1' },
    });
    expect(await h.disorder()).toEqual([]);
  });

  it.each<[string, object, number, (h: House) => Promise<unknown>, MessageCode]>([
    ['the rules want none', { lateResultSeconds: 0 }, 1_000, async () => undefined, 'result.too-late'],
    ['an hour has passed', {}, 3_600_001, async () => undefined, 'result.too-late'],
    ['a player was rated since', {}, 1_000, ratedSince, 'result.players-rated-since'],
    ['a player is in another match', {}, 1_000, inAnotherMatch, 'result.players-in-match'],
  ])('of a session that was lost is kept for the operators: %s', async (_, rules, afterMs, before, code) => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1', {
      rules: { mode: 'duel', placementTimeoutSeconds: 60, resumeSeconds: 0, ...rules },
    });
    const at = noon + timeouts.silenceMs + 1;
    await h.allocator.silence.loseSilent(timeouts, at, 10);
    await before(h);
    expect(await lateReport(h, held, at + afterMs)).toMatchObject({
      outcome: 'withdrawn',
      state: 'lost',
      why: [{ code }],
    });
    expect(await h.db.match.findUnique({ where: { id: 'm1' } })).toMatchObject({
      closeReason: 'its server fell silent; its players returned to the queue',
      closeMessages: [message('match.players-returned', { cause: message('session.server-silent') })],
    });
    expect(await h.allocator.sessions.conflicts(10)).toMatchObject([
      {
        matchId: 'm1',
        reportedBy: 's',
        messages: [{ code: 'result.session-not-live', params: { cause: { code } } }],
      },
    ]);
    expect(await h.stateOf('m1')).toBe('abandoned');
  });

  it('comes too late when the session was lost, and is kept for the operators', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1', strict);
    await h.allocator.fleet.leave('s', noon);

    expect(await report(h, held)).toMatchObject({ outcome: 'withdrawn', state: 'lost' });
    expect(await report(h, held)).toMatchObject({ outcome: 'withdrawn', state: 'lost' });
    expect(await h.allocator.sessions.conflicts(10)).toMatchObject([
      {
        matchId: 'm1',
        reportedBy: 's',
        reason: 'the session is lost: it came later than the rules of its queue allow',
        receivedAt: noon + 60_000,
        body: { ranks: [1, 2] },
      },
    ]);
    expect(await h.stateOf('m1')).toBe('abandoned');
  });

  it('is for the registration in force to report, once the session was resumed', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    const { incarnation } = await h.allocator.fleet.register(
      aServer('s', { resume: [held.sessionId] }),
      noon,
    );

    expect(await report(h, held)).toEqual({ outcome: 'superseded' });
    const now = { ...held, server: { serverId: 's', incarnation } };
    expect(await report(h, now)).toMatchObject({ outcome: 'counted' });
  });

  it.each([
    ['is on its way', { table: 'result', on: 'INSERT', written: true }, 'counted'],
    ['comes', { table: 'session', on: 'UPDATE', written: true }, 'withdrawn'],
  ] as const)('%s while its server is lost: one of both, never half of each', async (_, held, outcome) => {
    const h = house();
    await h.server('s');
    const live = await h.live('m1', strict);
    const gate = await Gate.shut(h.db, held);
    const leave = (): Promise<unknown> => h.allocator.fleet.leave('s', noon);
    const early = outcome === 'counted' ? null : leave();
    if (early) await gate.crowd();
    const reporting = report(h, live);
    const ending = early ?? (await gate.crowd(), leave());
    await blocked(h.db, 2, Promise.all([reporting, ending]));
    await gate.open();
    await ending;

    expect((await reporting).outcome).toBe(outcome);
    const counted = outcome === 'counted';
    expect(await h.stateOf('m1')).toBe(counted ? 'ended' : 'abandoned');
    expect(await h.sessionOf(live)).toMatchObject({ state: counted ? 'ended' : 'lost' });
    expect(await h.playing()).toEqual(counted ? ['m1-a', 'm1-b'] : []);
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', 'placed', ...(counted ? [] : ['remade'])]);
    expect(await data().deadlocks()).toBe(0);
  });
});

describe('the tables themselves refuse', () => {
  const insert = async (h: House, matchId: string, ordinal: number, state: string): Promise<number> =>
    h.db.$executeRaw`
      INSERT INTO session (id, match_id, server_id, slot_ordinal, incarnation, state, reserved_at, answer_by)
      VALUES (${`${matchId}-${ordinal}-${state}`}, ${matchId}, 's', ${ordinal}, 1, ${state}, now(), now())`;

  it('a second open session in a slot, and a second one of a match', async () => {
    const h = house();
    await h.server('s', { slots: 3 });
    await h.reserved('m1');
    await h.live('m2');
    await h.wants('m3');

    for (const state of ['reserved', 'live']) {
      for (const ordinal of [0, 1]) await expect(insert(h, 'm3', ordinal, state)).rejects.toThrow('23505');
      for (const matchId of ['m1', 'm2']) await expect(insert(h, matchId, 2, state)).rejects.toThrow('23505');
      expect(await insert(h, 'm1', 2, 'lost')).toBe(1);
      await h.db.session.deleteMany({ where: { state: 'lost' } });
    }
    expect(await insert(h, 'm3', 2, 'reserved')).toBe(1);
    await expect(insert(h, 'm3', 10_000, 'lost')).rejects.toThrow('23514');
  });

  it('a player in two live matches, and a state that nobody knows', async () => {
    const h = house();
    await h.wants('m1');
    await h.wants('m2');
    const again = h.db.$executeRaw`INSERT INTO live_player (player_id, match_id) VALUES ('m1-a', 'm2')`;
    await expect(again).rejects.toThrow('23505');
    await expect(h.db.match.update({ where: { id: 'm1' }, data: { state: 'lost' } })).rejects.toThrow(
      'match_state_known',
    );
  });
});

describe('a result that names strangers', () => {
  it.each(['players', 'leavers'] as const)('among its %s is refused, and counts nothing', async (where) => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    const said = { ...result(), [where]: ['m1-a', 'm2-a', 'm2-b'] };
    expect(await report(h, held, said)).toEqual({ outcome: 'not-in-match', playerIds: ['m2-a', 'm2-b'] });
    expect(await h.sessionOf(held)).toMatchObject({ state: 'live' });
  });

  it('is taken when they are bots: these have no seat of their own', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    expect(await report(h, held, { ...result(), players: ['m1-a', 'bot:tiny'] })).toMatchObject({
      outcome: 'counted',
    });
  });
});
