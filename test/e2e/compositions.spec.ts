import type { QueueRules } from '@muster/domain';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { ask, problemOf } from '../support/http.js';
import { openQueue } from '../support/open-queue.js';
import { duel, Queued, queueUp } from '../support/party.js';
import { Hook } from '../support/scale-out-hook.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'compositions';

let hook: Hook;
let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  hook = await Hook.start(inject('scaleOut').port);
  stack = await sharedStack();
  server = await GameServer.start(stack, { serverId: 'compositions-server', build, slots: 100 });
});
afterAll(async () => {
  await server?.stop();
  hook?.stop();
});

/** Creates a queue in which every pair of players may meet. @returns its name */
const play = (name: string, over: Partial<QueueRules>): Promise<string> =>
  openQueue(stack, name, { mode: 'siege', pool: 'default', teamSize: 2, maxPartySize: 2, ...over });

/** Waits until the matcher has evaluated a ticket and can explain its wait. */
async function waits(ticket: Queued): Promise<void> {
  await until(async () => (await ticket.read()).waiting !== undefined);
  expect((await ticket.read()).state).toBe('waiting');
}

const orderOf = async (matchId: string) =>
  (await server.asked.first(({ order }) => order.matchId === matchId)).order;

describe('C6 roles', () => {
  it('are required in every team, named in tickets and passes, and sent to the server', async () => {
    const queue = await play('roles', { roles: { healer: 1 } });
    const one = async (playerId: string, canPlay: string[] = []): Promise<Queued> =>
      queueUp(stack, [playerId], { queue, build, canPlay });
    const [pat, hal] = [await stack.player('roles-pat'), await stack.player('roles-hal')];
    const partyPasses = [await hal.partyPass('roles-pat', ['healer'])];
    const made = await pat.enqueue({ queue, build, partyPasses });
    expect(made).toMatchObject({
      players: ['roles-pat', 'roles-hal'],
      canPlay: { 'roles-hal': ['healer'] },
    });
    const party = new Queued(made.ticketId, made.players, [pat, hal]);
    const others = [await one('roles-rob'), await one('roles-ron')];
    // Four players, one of them a healer.
    for (const ticket of [party, ...others]) await waits(ticket);

    const sue = await one('roles-sue', ['healer']);
    const { matchId } = await sue.assigned();
    expect((await party.assigned()).matchId).toBe(matchId);
    const match = await stack.operator.match(matchId);
    const healers = match.players.filter(({ role }) => role === 'healer');
    expect(healers.map(({ playerId }) => playerId).toSorted()).toEqual(['roles-hal', 'roles-sue']);
    expect(healers.map(({ team }) => team).toSorted()).toEqual([0, 1]);
    expect(match.players.filter(({ role }) => role === null)).toHaveLength(2);
    expect((await orderOf(matchId)).roles).toEqual({ 'roles-hal': 'healer', 'roles-sue': 'healer' });

    const shown = await ask(stack.url, `/v1/matches/${matchId}`, { token: await stack.token('roles-sue') });
    expect(JSON.parse(shown.text)).toMatchObject({
      why: expect.arrayContaining([expect.stringMatching(/^Team [12]: roles-sue plays healer\.$/)]),
    });
  });

  it('and unknown maps are rejected, with the known ones', async () => {
    const queue = await play('roles-known', {
      roles: { healer: 1, tank: 1 },
      maps: { names: ['castle', 'mine'], agreeSeconds: null },
    });
    const plain = await play('roles-none', {});
    const token = await stack.token('known-ann');
    const refused = async (body: object) =>
      problemOf(await ask(stack.url, '/v1/tickets', { token, body: { build, ...body } }));

    expect(await refused({ queue, canPlay: ['healr'] })).toEqual({
      status: 422,
      code: 'role-unknown',
      detail: expect.stringMatching(
        /^roles-known demands no role "healr", which known-ann can play; there is (healer, tank|tank, healer)\.$/,
      ),
    });
    expect(await refused({ queue: plain, canPlay: ['healer'] })).toMatchObject({
      code: 'role-unknown',
      detail: expect.stringContaining('demands no roles'),
    });
    expect(await refused({ queue, maps: ['castle', 'moon'] })).toEqual({
      status: 422,
      code: 'map-unknown',
      detail: 'roles-known does not play "moon"; there is castle, mine.',
    });
    expect(await refused({ queue: plain, maps: ['castle'] })).toMatchObject({
      code: 'map-unknown',
      detail: expect.stringContaining('names no maps'),
    });
    const pass = await (await stack.player('known-ben')).partyPass('known-ann', ['scout']);
    expect(await refused({ queue, partyPasses: [pass] })).toMatchObject({
      code: 'role-unknown',
      detail: expect.stringContaining('"scout", which known-ben can play'),
    });
    expect(await refused({ queue, canPlay: 'healer' })).toMatchObject({ status: 400 });
  });

  it('and wishes are part of the request of an idempotency key, in any order', async () => {
    const queue = await play('roles-key', {
      roles: { healer: 1, tank: 1 },
      maps: { names: ['castle', 'mine'], agreeSeconds: null },
    });
    const ann = await stack.player('key-ann');
    const first = await ann.enqueue(
      { queue, build, canPlay: ['tank', 'healer'], maps: ['mine', 'castle'] },
      'key-1',
    );
    const again = await ann.enqueue(
      { queue, build, canPlay: ['healer', 'tank', 'tank'], maps: ['castle', 'mine'] },
      'key-1',
    );
    expect(again).toMatchObject({
      ticketId: first.ticketId,
      canPlay: { 'key-ann': ['healer', 'tank'] },
      maps: ['castle', 'mine'],
    });
    await expect(ann.enqueue({ queue, build, canPlay: ['tank'], maps: ['mine'] }, 'key-1')).rejects.toThrow(
      /used for another request/,
    );
    await ann.cancel(first.ticketId);
  });
});

describe('C1 map wishes', () => {
  it('are agreed on, and the server receives the map', async () => {
    const queue = await play('maps', {
      teamSize: 1,
      maxPartySize: 1,
      maps: { names: ['castle', 'harbour', 'mine'], agreeSeconds: null },
    });
    const one = (playerId: string, maps: string[] = []) => queueUp(stack, [playerId], { queue, build, maps });
    const ann = await one('maps-ann', ['castle']);
    const ben = await one('maps-ben', ['harbour', 'mine']);
    await Promise.all([waits(ann), waits(ben)]);
    const cid = await one('maps-cid', ['mine']);
    const { matchId } = await cid.assigned();
    expect((await ben.assigned()).matchId).toBe(matchId);
    expect(await orderOf(matchId)).toMatchObject({ map: 'mine', bots: [0, 0], roles: {} });
    expect((await stack.operator.match(matchId)).map).toBe('mine');

    await one('maps-dan');
    const other = await ann.assigned();
    expect((await orderOf(other.matchId)).map).toBe('castle');
  });
});

describe('smaller matches after a wait', () => {
  it('are filled with bots, which the server receives and the chance ignores', async () => {
    const queue = await play('bots', { bots: { afterSeconds: 1, skill: 20, minPlayers: 3 } });
    const party = await queueUp(stack, ['bots-ann', 'bots-ben'], { queue, build });
    const lone = await queueUp(stack, ['bots-cid'], { queue, build });
    const { matchId, sessionId, team } = await lone.assigned();
    expect((await party.assigned()).matchId).toBe(matchId);

    const match = await stack.operator.match(matchId);
    expect(match.bots[team]).toBe(1);
    expect(match.bots[1 - team]).toBe(0);
    expect(match.why).toEqual(
      expect.arrayContaining([
        `Empty places are filled: 1 bot on team ${team + 1}.`,
        'That is of the players alone: bots are not counted.',
      ]),
    );
    const order = await orderOf(matchId);
    expect(order.bots).toEqual(match.bots);
    expect(order.teams[team]).toEqual(['bots-cid']);

    await server.report(sessionId, { winner: team });
    expect(await lone.closed()).toMatchObject({ matchState: 'rated' });
  });

  it('are played in smaller teams', async () => {
    const queue = await play('small', { teamSize: 3, smallerTeams: [{ afterSeconds: 1, teamSize: 1 }] });
    const tickets = [
      await queueUp(stack, ['small-ann'], { queue, build }),
      await queueUp(stack, ['small-ben'], { queue, build }),
    ];
    const [one, other] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
    expect(one?.matchId).toBe(other?.matchId);
    const order = await orderOf(one?.matchId ?? '');
    expect(order).toMatchObject({ map: null, bots: [0, 0] });
    expect(order.teams.map((players) => players.length)).toEqual([1, 1]);
  });
});

describe('C26 no free server', () => {
  it('calls the hook, and the tickets say that a server is being started', async () => {
    const mine = 'scale-starts';
    const request = { queue: '1v1', build: mine, latencyMs: { near: 20, far: 70 } };
    const one = await queueUp(stack, ['starts-ann'], request);
    await queueUp(stack, ['starts-ben'], request);
    const news = await one.until(({ reason }) => reason.includes('a server is being started.'));
    expect(news).toMatchObject({
      state: 'placing',
      reason: expect.stringContaining('no server of build scale-starts in near or far has a free slot now'),
    });
    const call = await hook.calls.first(({ body }) => body.build === mine);
    expect(call).toEqual({
      authorization: 'Bearer scale-secret',
      body: {
        build: mine,
        regions: ['near', 'far'],
        waitingMatches: 1,
        slots: 1,
        servers: 1,
        at: expect.any(Number),
      },
    });

    // The hook is called again while a match waits, but not sooner.
    await until(async () => hook.of(mine).length >= 2);
    const [first, second] = hook.of(mine);
    expect((second?.body.at ?? 0) - (first?.body.at ?? 0)).toBeGreaterThanOrEqual(
      inject('scaleOut').everySeconds * 1_000,
    );

    const started = await GameServer.start(stack, { serverId: 'scale-started', build: mine, region: 'near' });
    expect(await one.assigned()).toMatchObject({ serverId: 'scale-started', region: 'near' });
    await started.stop();
  });

  it('that cannot be requested is reported; an unresponsive hook delays no other request', async () => {
    const [failing, silent] = ['scale-fails', 'scale-silent'];
    hook.answers.set(failing, 503);
    hook.answers.set(silent, 'silence');
    const [one] = await duel(stack, failing, ['fails-ann', 'fails-ben']);
    const [mute] = await duel(stack, silent, ['silent-ann', 'silent-ben']);
    await hook.calls.first(({ body }) => body.build === silent);
    const [placed] = await duel(stack, build, ['meanwhile-ann', 'meanwhile-ben']);
    await placed.assigned();

    const said = /has a free slot now, and none could be asked for; both are tried again and again\.$/;
    await Promise.all([one, mute].map((ticket) => ticket.until(({ reason }) => said.test(reason))));
    hook.answers.set(failing, 200);
    await one.until(({ reason }) => reason.endsWith('a server is being started.'));
    expect(hook.of(failing).length).toBeGreaterThanOrEqual(2);
  });
});
