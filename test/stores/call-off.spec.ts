import type { CalledOff } from '@muster/domain';
import { allocatorStores } from './allocator-stores.js';
import { describe, expect, it } from 'vitest';
import { databaseForEach, noon, timeouts, promisesOf, range, tally, ticketOf } from './fixtures.js';
import { House, type Held } from './house.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
const later = noon + 60_000;

const calledOff = (over: Partial<CalledOff> = {}): CalledOff => ({
  reason: 'the map did not load',
  noShows: [],
  leavers: [],
  remake: false,
  ...over,
});
const callOff = (h: House, { sessionId, server }: Held, over: Partial<CalledOff> = {}) =>
  h.allocator.sessions.callOff(sessionId, server, calledOff(over), later);
const result = (ranks = [1, 2], leavers: string[] = []) => ({
  ranks,
  digest: ranks.join(),
  body: { ranks },
  leavers,
});

describe('C25 a session that its server calls off', () => {
  it('abandons the match, frees players and slot, and tells the tickets; a repeat changes nothing', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    expect(await callOff(h, held)).toEqual({ outcome: 'abandoned', matchId: 'm1' });
    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(await h.sessionOf(held)).toMatchObject({ state: 'abandoned', reason: 'the map did not load' });
    expect(await h.playing()).toEqual([]);
    expect((await promisesOf(data().db)).at(-1)).toEqual({
      owner: 'allocator',
      queue: 'ticket-news',
      jobId: 'abandoned-m1',
      payload: {
        kind: 'abandoned',
        matchId: 'm1',
        ticketIds: expect.arrayContaining([ticketOf('m1-a'), ticketOf('m1-b')]),
        reason: 'The server called the match off (the map did not load).',
        messages: [{ code: 'match.called-off', params: { detail: 'the map did not load' } }],
      },
    });
    const promised = (await promisesOf(data().db)).length;
    expect(await callOff(h, held, { noShows: ['m1-a'] })).toEqual({ outcome: 'again', matchId: 'm1' });
    expect(await promisesOf(data().db)).toHaveLength(promised);
    expect(await h.reserved('m2')).toMatchObject({ server: { serverId: 's' } });
    expect(await h.disorder()).toEqual([]);
  });

  it('promises to tell who did not come and who left, and which tickets are not to go back', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    await callOff(h, held, { noShows: ['m1-b'], remake: true });
    const [news, conduct] = (await promisesOf(data().db)).slice(-2);
    expect(news?.payload).toMatchObject({
      kind: 'remade',
      matchId: 'm1',
      failedTicketIds: [ticketOf('m1-b')],
    });
    expect(conduct).toEqual({
      owner: 'allocator',
      queue: 'conduct',
      jobId: 'conduct-m1',
      payload: { matchId: 'm1', queue: 'ranked', at: later, noShows: ['m1-b'], leavers: [] },
    });
  });

  it('is called off by its own server alone, while it is live, and over its own players', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const other = await h.server('other', { build: 'none' });
    const held = await h.live('m1');
    const reserved = await h.reserved('m2');
    const before = await promisesOf(data().db);
    const by = (sessionId: string, server = held.server, over = {}) =>
      h.allocator.sessions.callOff(sessionId, server, calledOff(over), later);
    expect(await by('ses_nobody')).toEqual({ outcome: 'unknown' });
    expect(await by(held.sessionId, other)).toEqual({ outcome: 'not-yours' });
    expect(await by(held.sessionId, { ...held.server, incarnation: 0 })).toEqual({ outcome: 'superseded' });
    expect(await by(reserved.sessionId)).toEqual({ outcome: 'withdrawn', state: 'reserved' });
    expect(await by(held.sessionId, held.server, { leavers: ['m2-a', 'm1-a'] })).toEqual({
      outcome: 'not-in-match',
      playerIds: ['m2-a'],
    });
    expect(await promisesOf(data().db)).toEqual(before);
    expect(await h.stateOf('m1')).toBe('placed');
  });

  it('has either a result or none, whoever comes first', async () => {
    const h = house();
    await h.server('s', { slots: 8 });
    for (const i of range(4)) {
      const held = await h.live(`m${i}`);
      const store = () => allocatorStores(as('allocator', data().connect(1)));
      const said = await Promise.all([
        store().sessions.callOff(held.sessionId, held.server, calledOff({ noShows: [`m${i}-a`] }), later),
        store().sessions.receive(held.sessionId, held.server, result(), later),
        store().sessions.callOff(held.sessionId, held.server, calledOff({ remake: true }), later),
        store().sessions.receive(held.sessionId, held.server, result([2, 1]), later),
      ]);
      const outcomes = tally(said.map(({ outcome }) => outcome));
      const state = await h.stateOf(`m${i}`);
      if (state === 'ended') expect(outcomes).toEqual({ counted: 1, contradicts: 1, withdrawn: 2 });
      else {
        expect(state).toBe('abandoned');
        expect(outcomes).toEqual({ abandoned: 1, again: 1, withdrawn: 2 });
      }
    }
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('may be lost at the same time: it ends once', async () => {
    const h = house();
    await h.server('s', { slots: 3 });
    const all = [await h.live('m1'), await h.live('m2'), await h.live('m3')];
    const silent = noon + timeouts.silenceMs + 1;
    const [, ...said] = await Promise.all([
      allocatorStores(as('allocator', data().connect(1))).fleet.leave('s', silent),
      ...all.map((held) =>
        allocatorStores(as('allocator', data().connect(1))).sessions.callOff(
          held.sessionId,
          held.server,
          calledOff(),
          silent,
        ),
      ),
    ]);
    for (const { outcome } of said) expect(['abandoned', 'withdrawn']).toContain(outcome);
    for (const held of all) {
      expect(await h.stateOf(held.matchId)).toBe('abandoned');
      // Lost in its first minutes, its players return to the queue; called off, they do not.
      expect(['abandoned', 'remade'].map((end) => ['formed', 'placed', end])).toContainEqual(
        await h.matchUpdateJobs(held.matchId),
      );
    }
    expect(await h.playing()).toEqual([]);
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });
});

describe('C25 a result with leavers', () => {
  it('counts as any other, and enqueues who left', async () => {
    const h = house();
    await h.server('s');
    const { sessionId, server } = await h.live('m1');
    const receive = (leavers: string[]) =>
      h.allocator.sessions.receive(sessionId, server, result([1, 2], leavers), later);
    expect(await receive(['m2-a'])).toEqual({ outcome: 'not-in-match', playerIds: ['m2-a'] });
    expect(await h.stateOf('m1')).toBe('placed');
    expect(await receive(['m1-b'])).toEqual({ outcome: 'counted', matchId: 'm1' });
    expect((await promisesOf(data().db)).slice(-2).map(({ queue }) => queue)).toEqual([
      'rate-match',
      'conduct',
    ]);
    expect((await promisesOf(data().db)).at(-1)?.payload).toEqual({
      matchId: 'm1',
      queue: 'ranked',
      at: later,
      noShows: [],
      leavers: ['m1-b'],
    });
    expect(await receive(['m1-b'])).toEqual({ outcome: 'again', matchId: 'm1' });
    expect((await promisesOf(data().db)).filter(({ queue }) => queue === 'conduct')).toHaveLength(1);
  });
});
