import { QueueRulesSchema } from '@muster/contracts';
import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { ask, jsonOf, problemOf, type Answer } from '../support/http.js';
import { queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'conduct';
/** The time to accept: long enough for a test on a slow machine. */
const acceptSeconds = 8;

let stack: Stack;
let server: GameServer;

async function makeQueue(name: string, over: Partial<QueueRules>): Promise<void> {
  const duel = defaultQueues.find((queue) => queue.name === '1v1');
  if (!duel) throw new Error('there is no queue 1v1');
  const open = [{ afterSeconds: 0, limit: null }];
  const rules = { ...duel, name, skillWindow: open, teamGap: open, ...over };
  await stack.operator.applyRules(name, { rules: QueueRulesSchema.parse(rules) });
}

beforeAll(async () => {
  stack = await sharedStack();
  await makeQueue('asked', {
    readyCheck: { seconds: acceptSeconds, coolDownSeconds: [3, 600], forgiveAfterSeconds: 3_600 },
  });
  await makeQueue('asked-pairs', {
    teamSize: 2,
    maxPartySize: 2,
    readyCheck: { seconds: acceptSeconds, coolDownSeconds: [600], forgiveAfterSeconds: 3_600 },
  });
  await makeQueue('pairs', {
    teamSize: 2,
    maxPartySize: 2,
    noShows: { coolDownSeconds: [300], forgiveAfterSeconds: 3_600 },
  });
  await makeQueue('strict', {
    noShows: { coolDownSeconds: [300], forgiveAfterSeconds: 3_600 },
    leavers: { coolDownSeconds: [2, 600], forgiveAfterSeconds: 3_600 },
  });
  await makeQueue('free-for-all', { teams: 4 });
  server = await GameServer.start(stack, { serverId: 'conduct-server', build, slots: 50 });
});
afterAll(() => server.stop());

const queueIn = (queue: string, ...players: string[]): Promise<Queued> =>
  queueUp(stack, players, { queue, build });

/** Waits until the players are asked to accept. */
const asked = (ticket: Queued) =>
  ticket.until(({ state, acceptBy }) => state === 'accepting' && acceptBy !== undefined);

async function post(path: string, player: string): Promise<Answer> {
  return ask(stack.url, path, { token: await stack.token(player), method: 'POST' });
}

describe('C9 the ready check', () => {
  it('asks every player, forms the match when all have accepted, and shows it to no other', async () => {
    const [one, other] = [await queueIn('asked', 'rc-ann'), await queueIn('asked', 'rc-bob')];
    const { at, acceptBy = 0 } = await asked(one);
    expect(acceptBy - at).toBe(acceptSeconds * 1000);
    await asked(other);
    expect(problemOf(await post(`/v1/tickets/${one.ticketId}/accept`, 'rc-bob')).code).toBe(
      'ticket-not-found',
    );
    expect(await one.leader.cancel(one.ticketId)).toBe(false);
    expect(await one.leader.accept(one.ticketId)).toMatchObject({ state: 'accepting', accepted: ['rc-ann'] });
    expect((await one.leader.accept(one.ticketId)).accepted).toEqual(['rc-ann']);
    expect((await other.read()).accepted).toBeUndefined();
    await other.leader.accept(other.ticketId);
    const { sessionId } = await one.assigned();
    await server.report(sessionId, { winner: 0 });
    const states = (await one.story()).map(({ state }) => state);
    expect(states.slice(0, 5)).toEqual(['waiting', 'proposed', 'accepting', 'accepting', 'placing']);
    const late = problemOf(await post(`/v1/tickets/${one.ticketId}/decline`, 'rc-ann'));
    expect(late).toMatchObject({ status: 409, code: 'nothing-to-accept' });
  });

  it('ends the ticket of a player who declines; the other keeps its place and plays with the next', async () => {
    const [one, other] = [await queueIn('asked', 'rd-ann'), await queueIn('asked', 'rd-bob')];
    await asked(other);
    await other.leader.accept(other.ticketId);
    const { enqueuedAt, seq } = await other.read();
    const declined = await one.leader.decline(one.ticketId);
    expect(declined).toMatchObject({ state: 'cancelled', closed: true });
    expect(declined.reason).toContain('you did not accept a match and may queue again in 3 s');
    const back = await other.until((news) => news.seq > seq && news.state === 'waiting');
    expect(back.reason).toContain('You are back at your old place in the queue.');
    expect((await other.read()).enqueuedAt).toBe(enqueuedAt);

    // The cool-down applies, states its end, and then expires.
    const body = { queue: '1v1', build: 'conduct-alone' };
    const again = async () => ask(stack.url, '/v1/tickets', { token: await stack.token('rd-ann'), body });
    const refused = await again();
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const problem = jsonOf<{ until: number }>(refused, 429);
    expect(problem).toMatchObject({
      type: 'urn:muster:problem:cooling-down',
      players: [{ playerId: 'rd-ann', kind: 'declined' }],
    });
    const { mayQueueAt, penalties } = await one.leader.penalties();
    expect(mayQueueAt).toBe(problem.until);
    expect(penalties).toMatchObject([{ kind: 'declined', queue: 'asked', forgivenAt: null }]);

    const next = await queueIn('asked', 'rd-cid');
    await asked(next);
    await Promise.all([other.leader.accept(other.ticketId), next.leader.accept(next.ticketId)]);
    const { sessionId, matchId } = await other.assigned();
    expect((await next.assigned()).matchId).toBe(matchId);
    await server.report(sessionId, { winner: 1 });

    await expect.poll(async () => (await again()).status, { timeout: 20_000 }).toBe(201);
  });

  it('ends the ticket of a player who does not answer, with the party; only that player cools down', async () => {
    const pair = await queueIn('asked-pairs', 'rs-ann', 'rs-bob');
    const others = await queueIn('asked-pairs', 'rs-cid', 'rs-dan');
    await asked(pair);
    for (const ticket of [others, pair]) await ticket.leader.accept(ticket.ticketId);
    await others.clients[1]?.accept(others.ticketId);
    const ended = await pair.closed();
    expect(ended).toMatchObject({ state: 'cancelled' });
    expect(ended.reason).toContain('not accepted in time by rs-bob');
    expect((await others.read()).state).toBe('waiting');
    const [ann, bob] = pair.clients;
    expect(await ann?.penalties()).toMatchObject({ mayQueueAt: null, penalties: [] });
    await expect.poll(async () => (await bob?.penalties())?.penalties.length).toBe(1);
    // Every member is checked and named.
    await expect(queueUp(stack, ['rs-ann', 'rs-bob'], { queue: 'asked-pairs', build })).rejects.toMatchObject(
      {
        problem: {
          type: 'urn:muster:problem:cooling-down',
          detail: expect.stringMatching(/^rs-bob did not/),
        },
      },
    );
    const [penalty] = (await stack.operator.penalties('rs-bob')).penalties;
    const path = `/v1/players/rs-cid/penalties/${penalty?.penaltyId}`;
    const wrong = await ask(stack.url, path, { token: stack.run.operatorKey, method: 'DELETE' });
    expect(problemOf(wrong)).toMatchObject({ status: 404, code: 'penalty-not-found' });
    const forgiven = await stack.operator.forgive('rs-bob', penalty?.penaltyId ?? '');
    expect(forgiven).toMatchObject({ mayQueueAt: null, penalties: [{ forgivenAt: expect.any(Number) }] });
    const together = await queueIn('asked-pairs', 'rs-ann', 'rs-bob');
    await asked(together);
    await together.leader.decline(together.ticketId);
    await others.leader.cancel(others.ticketId);
  });
});

describe('C25 a client that lost its state', () => {
  it('finds its match, the address and a new join token by /v1/me/ticket, until the match is over', async () => {
    const tickets = [await queueIn('1v1', 'lost-ann'), await queueIn('1v1', 'lost-bob')];
    const [one] = tickets;
    const before = await one?.assigned();
    const anew = await stack.player('lost-ann');
    const found = await anew.current();
    expect(found).toMatchObject({ ticketId: one?.ticketId, state: 'assigned', matchState: 'placed' });
    const { joinToken, ...address } = found?.assignment ?? { joinToken: '' };
    expect({ ...before, joinToken: '' }).toEqual({ ...address, joinToken: '' });
    expect(joinToken.split('.')).toHaveLength(3);
    await server.report(before?.sessionId ?? '', { winner: 0 });
    await one?.closed();
    expect(await anew.current()).toBeNull();
    const seen = [await one?.read(), ...((await one?.story()) ?? [])];
    const told = seen.flatMap((each) => each?.assignment ?? []);
    expect(told).toEqual([1, 2, 3].map(() => ({ ...address, joinToken: '' })));
    const nothing = await ask(stack.url, '/v1/me/ticket', { token: await stack.token('lost-ann') });
    expect(problemOf(nothing)).toMatchObject({ status: 404, detail: 'You are in no queue and in no match.' });
  });
});

describe('C25 a match that its server calls off', () => {
  /** A match on this test's server, with its session. */
  async function playing(queue: string, ...players: string[]) {
    const tickets = await Promise.all(players.map((player) => queueIn(queue, player)));
    const [first] = tickets;
    if (!first) throw new Error('nobody plays');
    return { tickets, ...(await first.assigned()) };
  }
  /** The players of a match, in the order of their teams. */
  const rosterOf = async (matchId: string): Promise<string[]> =>
    (await stack.operator.match(matchId)).players
      .toSorted((a, b) => a.team - b.team)
      .map(({ playerId }) => playerId);
  const penaltiesOf = async (player: string) => (await stack.operator.penalties(player)).penalties;

  it('frees all players, rates none, and penalises those who did not come, once', async () => {
    const { tickets, sessionId, matchId } = await playing('strict', 'ns-ann', 'ns-bob');
    const said = { reason: 'ns-bob never came', noShows: ['ns-bob'] };
    expect(await server.abandon(sessionId, said)).toEqual({ matchId, counted: true });
    expect(await server.abandon(sessionId, said)).toEqual({ matchId, counted: false });
    for (const ticket of tickets)
      expect(await ticket.closed()).toMatchObject({
        state: 'failed',
        matchState: 'abandoned',
        reason: 'The server called the match off (ns-bob never came).',
      });
    await expect
      .poll(() => penaltiesOf('ns-bob'))
      .toMatchObject([{ kind: 'no-show', matchId, queue: 'strict' }]);
    expect(await penaltiesOf('ns-ann')).toEqual([]);
    expect(await stack.operator.match(matchId)).toMatchObject({ state: 'abandoned' });
    await expect(queueIn('1v1', 'ns-bob')).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(/^You did not come to a match and may queue again in \d+ /),
    });
    await expect(server.report(sessionId, { winner: 0 })).rejects.toMatchObject({
      code: 'session-withdrawn',
    });
    const free = await queueIn('1v1', 'ns-ann');
    expect(await free.leader.cancel(free.ticketId)).toBe(true);
  });

  it('returns the others to their old place for a remake, and they play the next player', async () => {
    const { tickets, sessionId, matchId } = await playing('strict', 're-ann', 're-bob');
    const [ann, bob] = tickets;
    const { enqueuedAt, seq = 0 } = (await ann?.read()) ?? {};
    await server.abandon(sessionId, { reason: 're-bob never came', noShows: ['re-bob'], remake: true });
    const back = await ann?.until((news) => news.seq > seq && news.state === 'waiting');
    expect(back?.reason).toBe(
      'The server called the match off (re-bob never came). You are back at your old place in the queue.',
    );
    expect(await bob?.closed()).toMatchObject({
      state: 'failed',
      matchState: 'abandoned',
      reason: expect.stringContaining('Not all of you were there to the end'),
    });
    const waiting = await ann?.read();
    expect(waiting?.enqueuedAt).toBe(enqueuedAt);
    expect(waiting?.assignment).toBeUndefined();
    const cid = await queueIn('strict', 're-cid');
    const next = await cid.assigned();
    expect(next.matchId).not.toBe(matchId);
    expect((await ann?.read())?.assignment).toMatchObject({
      matchId: next.matchId,
      sessionId: next.sessionId,
    });
    await server.report(next.sessionId, { winner: 0 });
    expect(await ann?.closed()).toMatchObject({ state: 'assigned', matchState: 'rated' });
  });

  it('returns a party without its no-show, who is free, and the others play', async () => {
    const party = await queueIn('pairs', 'pa-ann', 'pa-abe');
    const [ann, abe] = party.clients;
    const others = [await queueIn('pairs', 'pa-bob'), await queueIn('pairs', 'pa-cid')];
    const { sessionId, matchId } = await party.assigned();
    const { enqueuedAt } = (await abe?.read(party.ticketId)) ?? {};
    // A stream that is open meanwhile.
    const seen = party.closed();
    await server.abandon(sessionId, { reason: 'ann never came', noShows: ['pa-ann'], remake: true });
    expect(await seen).toMatchObject({
      state: 'failed',
      reason: 'You were not there to the end, so the others of your party wait for a match without you.',
    });
    expect(await abe?.current()).toMatchObject({
      ticketId: party.ticketId,
      state: 'waiting',
      players: ['pa-abe'],
      enqueuedAt,
    });
    expect(await ann?.current()).toBeNull();
    await expect(ann?.read(party.ticketId)).rejects.toMatchObject({ code: 'ticket-not-found' });
    expect(await penaltiesOf('pa-ann')).toMatchObject([{ kind: 'no-show', matchId }]);
    expect(await penaltiesOf('pa-abe')).toEqual([]);
    const dan = await queueIn('pairs', 'pa-dan');
    const next = await dan.assigned();
    expect(await abe?.read(party.ticketId)).toMatchObject({ assignment: { matchId: next.matchId } });
    await server.report(next.sessionId, { winner: 0 });
    for (const each of others) expect(await each.closed()).toMatchObject({ matchState: 'rated' });
  });

  it('counts a result with a leaver for all, and raises the penalty of the second time', async () => {
    for (const nth of [1, 2]) {
      const { tickets, sessionId, matchId } = await playing('strict', 'lv-ann', `lv-bob${nth}`);
      const { counted } = await server.report(sessionId, { winner: 0, leavers: ['lv-ann'] });
      expect(counted).toBe(true);
      for (const ticket of tickets) expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
      await expect.poll(async () => (await penaltiesOf('lv-ann')).length).toBe(nth);
      const [newest] = await penaltiesOf('lv-ann');
      expect(newest).toMatchObject({ kind: 'left', matchId });
      const { mayQueueAt } = await stack.operator.penalties('lv-ann');
      expect(mayQueueAt).toBe((newest?.at ?? 0) + (nth === 1 ? 2_000 : 600_000));
      if (nth === 1)
        await expect
          .poll(async () => (await stack.operator.penalties('lv-ann')).mayQueueAt, { timeout: 9_000 })
          .toBeNull();
    }
    await expect(queueIn('strict', 'lv-ann')).rejects.toMatchObject({
      message: expect.stringContaining('left a match for the 2nd time lately'),
    });
  });

  it('rates the others of a free-for-all, and nobody of a duel, to which a player never came', async () => {
    const { tickets, sessionId, matchId } = await playing('free-for-all', 'fa-a', 'fa-b', 'fa-c', 'fa-d');
    const [winner = '', absent = '', ...others] = await rosterOf(matchId);
    await server.finished(sessionId, [winner]);
    await expect(
      server.report(sessionId, { ranks: [1, 4, 2, 3], noShows: [absent, winner] }),
    ).rejects.toMatchObject({ code: 'result-invalid', message: expect.stringContaining('as finished') });
    const said = { ranks: [1, 4, 2, 3], noShows: [absent] };
    expect(await server.report(sessionId, said)).toEqual({ matchId, counted: true });
    for (const ticket of tickets.filter(({ playerIds }) => playerIds[0] !== winner))
      expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
    const { players } = await stack.operator.match(matchId);
    const rated = players.flatMap(({ playerId, after }) => (after ? [playerId] : []));
    expect(rated.toSorted()).toEqual([winner, ...others].toSorted());

    const duel = await playing('strict', 'fd-ann', 'fd-bob');
    const walkover = { winner: 0, noShows: (await rosterOf(duel.matchId)).slice(1) };
    const answer = { matchId: duel.matchId, unrated: true };
    expect(await server.report(duel.sessionId, walkover)).toEqual({ ...answer, counted: true });
    expect(await server.report(duel.sessionId, walkover)).toEqual({ ...answer, counted: false });
    await duel.tickets[0]?.closed();
    expect(await stack.operator.match(duel.matchId)).toMatchObject({
      state: 'void',
      closeReason: expect.stringContaining('Fewer than two teams had a player who came'),
    });
  });

  it('lets no player queue between being freed and being penalised', async () => {
    /** The first answer to a new ticket other than "you are still in that match". */
    const nextTicket = async (player: string): Promise<string> => {
      const token = await stack.token(player);
      for (;;) {
        const answer = await ask(stack.url, '/v1/tickets', { token, body: { queue: '1v1', build } });
        const code = answer.status === 201 ? 'created' : problemOf(answer).code;
        if (code !== 'player-already-queued') return code;
      }
    };
    const offences = [
      {
        remade: false,
        offend: (sessionId: string, by: string) =>
          server.abandon(sessionId, { reason: 'gone', leavers: [by] }),
      },
      {
        remade: true,
        offend: (sessionId: string, by: string) =>
          server.abandon(sessionId, { reason: 'gone', noShows: [by], remake: true }),
      },
      {
        remade: false,
        offend: (sessionId: string, by: string) => server.report(sessionId, { winner: 0, leavers: [by] }),
      },
    ];
    for (const [i, { remade, offend }] of [...offences, ...offences].entries()) {
      const by = `dodge-ann${i}`;
      const { sessionId } = await playing('strict', by, `dodge-bob${i}`);
      // The second round does not wait for the answer.
      const said = offend(sessionId, by);
      if (i < offences.length) await said;
      expect(await Promise.all([nextTicket(by), nextTicket(by)])).toEqual(['cooling-down', 'cooling-down']);
      await said;
      if (!remade) continue;
      // A returned player would meet the next pair. The return follows the answer.
      const returned = await stack.player(`dodge-bob${i}`);
      await expect.poll(async () => (await returned.current())?.state, { timeout: 20_000 }).toBe('waiting');
      await returned.cancel((await returned.current())?.ticketId ?? '');
    }
    const decliner = await queueIn('asked', 'dodge-dan');
    const other = await queueIn('asked', 'dodge-eve');
    await asked(decliner);
    const declined = decliner.leader.decline(decliner.ticketId);
    expect(await nextTicket('dodge-dan')).toBe('cooling-down');
    await declined;
    await other.leader.cancel(other.ticketId);
  });

  it('is not called off by another server, nor for players not in it', async () => {
    const { sessionId } = await playing('strict', 'st-ann', 'st-bob');
    const other = await GameServer.start(stack, { serverId: 'conduct-stranger', build: 'conduct-none' });
    await expect(other.abandon(sessionId, { reason: 'mine' })).rejects.toMatchObject({ code: 'not-allowed' });
    await other.stop();
    await expect(server.abandon(sessionId, { reason: 'x', noShows: ['st-zoe'] })).rejects.toMatchObject({
      code: 'result-invalid',
      message: expect.stringContaining('st-zoe'),
    });
    await expect(server.report(sessionId, { winner: 0, leavers: ['st-zoe'] })).rejects.toMatchObject({
      code: 'result-invalid',
    });
    const both = { reason: 'x', noShows: ['st-ann'], leavers: ['st-ann'] };
    await expect(server.abandon(sessionId, both)).rejects.toMatchObject({ code: 'invalid-request' });
    await server.report(sessionId, { winner: 1 });
  });
});
