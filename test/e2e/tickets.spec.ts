import type { TicketView, WaitingView } from '@muster/contracts';
import { importJWK, SignJWT, type JWK } from 'jose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { GameServer } from '../support/game-server.js';
import { ask, jsonOf, problemOf, type Answer } from '../support/http.js';
import { duel, queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  stack = await sharedStack();
  server = await GameServer.start(stack, { serverId: 'tickets-server', build: 'tickets-1', slots: 100 });
});
afterAll(() => server?.stop());

const call = async (
  playerId: string,
  path: string,
  options: Parameters<typeof ask>[2] = {},
): Promise<Answer> => ask(stack.url, path, { token: await stack.token(playerId), ...options });

const enqueue = (playerId: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  call(playerId, '/v1/tickets', { body, headers });

describe('an idempotency key', () => {
  const body = { queue: '1v1', build: 'idem' };

  it('gives the same ticket, however often and fast it is sent', async () => {
    const headers = { 'idempotency-key': 'idem-1' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => enqueue('idem-a', body, headers)));
    const tickets = answers.map((answer) => jsonOf<TicketView>(answer, 201));

    expect(new Set(tickets.map((ticket) => ticket.ticketId)).size).toBe(1);
    expect(tickets.every((ticket) => ticket.seq === 1 && ticket.state === 'waiting')).toBe(true);
    const [first] = tickets;
    await call('idem-a', `/v1/tickets/${first?.ticketId}`, { method: 'DELETE' });
    // A client that lost its answers and retries gets the outcome, and is not queued again.
    const after = jsonOf<TicketView>(await enqueue('idem-a', body, headers), 201);
    expect(after).toMatchObject({ ticketId: first?.ticketId, state: 'cancelled', closed: true });
  });

  it('identifies one request only', async () => {
    const headers = { 'idempotency-key': 'idem-2' };
    const { ticketId } = jsonOf<TicketView>(await enqueue('idem-b', body, headers), 201);
    for (const other of [
      { ...body, queue: '5v5' },
      { ...body, build: 'idem-x' },
      { ...body, latencyMs: { eu: 1 } },
    ]) {
      expect(problemOf(await enqueue('idem-b', other, headers))).toMatchObject({
        status: 409,
        code: 'idempotency-key-reused',
      });
    }
    const again = jsonOf<TicketView>(
      await enqueue('idem-b', { ...body, latencyMs: {}, partyPasses: [] }, headers),
      201,
    );
    expect(again.ticketId).toBe(ticketId);
  });

  it('is scoped to the player', async () => {
    const headers = { 'idempotency-key': 'idem-3' };
    const one = jsonOf<TicketView>(await enqueue('idem-c', { ...body, build: 'idem-c' }, headers), 201);
    const other = jsonOf<TicketView>(await enqueue('idem-d', { ...body, build: 'idem-d' }, headers), 201);
    expect(one.ticketId).not.toBe(other.ticketId);
  });
});

describe('a player', () => {
  it('is in one ticket at a time, alone or in a party', async () => {
    const { ticketId } = await queueUp(stack, ['once-leader', 'once-member'], {
      queue: '5v5',
      build: 'once',
    });
    const again = await enqueue('once-leader', { queue: '1v1', build: 'once' });
    expect(problemOf(again)).toMatchObject({ status: 409, code: 'player-already-queued' });
    expect(JSON.parse(again.text)).toMatchObject({ playerId: 'once-leader', ticketId });

    const member = await stack.player('once-member');
    await expect(member.enqueue({ queue: '1v1', build: 'once' })).rejects.toMatchObject({ status: 409 });
    const partyPasses = [await member.partyPass('once-other')];
    const third = await enqueue('once-other', { queue: '5v5', build: 'once', partyPasses });
    expect(problemOf(third)).toMatchObject({ status: 409, code: 'player-already-queued' });
    // The other leader may not learn which ticket holds the member.
    expect(third.text).not.toContain(ticketId);
    // All or none: the refused leader is free.
    expect(jsonOf<TicketView>(await enqueue('once-other', { queue: '5v5', build: 'once' }), 201).state).toBe(
      'waiting',
    );
  });

  it('finds the ticket that holds them, or none', async () => {
    const { ticketId } = await queueUp(stack, ['mine-leader', 'mine-member'], {
      queue: '5v5',
      build: 'mine',
    });
    for (const playerId of ['mine-leader', 'mine-member']) {
      const mine = jsonOf<TicketView>(await call(playerId, '/v1/me/ticket'));
      expect(mine).toMatchObject({ ticketId, players: ['mine-leader', 'mine-member'], closed: false });
    }
    expect(problemOf(await call('mine-nobody', '/v1/me/ticket'))).toMatchObject({
      status: 404,
      code: 'ticket-not-found',
    });
    await call('mine-member', `/v1/tickets/${ticketId}`, { method: 'DELETE' });
    expect((await call('mine-leader', '/v1/me/ticket')).status).toBe(404);
  });
});

describe('cancelling', () => {
  it('removes the ticket permanently: nine others and a late tenth play without it', async () => {
    const request = { queue: '5v5', build: 'tickets-1' };
    const gone = await queueUp(stack, ['cancel-gone'], request);
    const eight = await Promise.all(
      Array.from({ length: 8 }, (_, i) => queueUp(stack, [`cancel-${i}`], request)),
    );
    // Ten waiting players are matched immediately, so one of nine leaves.
    const left = await call('cancel-gone', `/v1/tickets/${gone.ticketId}`, { method: 'DELETE' });
    expect(jsonOf<TicketView>(left)).toMatchObject({ state: 'cancelled', closed: true });
    const late = await queueUp(stack, ['cancel-8', 'cancel-9'], request);
    const { matchId } = await late.assigned();

    const match = await stack.operator.match(matchId);
    expect(match.players.map((player) => player.playerId)).not.toContain('cancel-gone');
    for (const ticket of eight) expect((await ticket.assigned()).matchId).toBe(matchId);
    expect(await gone.read()).toMatchObject({ state: 'cancelled', closed: true, seq: 2 });
    expect((await gone.story()).map((news) => news.state)).toEqual(['waiting', 'cancelled']);
    // A repeated cancellation is a no-op.
    expect(await gone.leader.cancel(gone.ticketId)).toBe(true);
    expect((await gone.read()).seq).toBe(2);
  });

  it('is too late once a match exists', async () => {
    const [one] = await duel(stack, 'tickets-1', ['late-1', 'late-2']);
    const { sessionId } = await one.assigned();
    const refused = await call('late-1', `/v1/tickets/${one.ticketId}`, { method: 'DELETE' });

    expect(problemOf(refused)).toMatchObject({ status: 409, code: 'ticket-already-matched' });
    await server.report(sessionId, { winner: null });
    await one.closed();
    expect((await call('late-1', `/v1/tickets/${one.ticketId}`, { method: 'DELETE' })).status).toBe(409);
  });

  it('is in time or not: after a 200 the ticket is never assigned', async () => {
    const tickets = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        queueUp(stack, [`race-${i}`], { queue: '1v1', build: 'tickets-1' }),
      ),
    );
    const cancelled = await Promise.all(
      tickets.map(async ({ ticketId, leader }, i) => {
        // Some immediately, some while the matcher processes them.
        if (i % 2 === 1) await call(`race-${i}`, `/v1/tickets/${ticketId}?after=1&waitSeconds=0.${i % 3}`);
        return leader.cancel(ticketId);
      }),
    );
    for (const [i, ticket] of tickets.entries()) {
      if (cancelled[i]) {
        expect((await ticket.story()).map((news) => news.state)).toEqual(['waiting', 'cancelled']);
      } else {
        expect(await ticket.assigned()).toMatchObject({ serverId: 'tickets-server' });
      }
    }
  });

  it('is for the ticket’s own players and for operators', async () => {
    const { ticketId, leader } = await queueUp(stack, ['own-1'], { queue: '1v1', build: 'own' });
    const path = `/v1/tickets/${ticketId}`;
    expect(problemOf(await call('own-thief', path, { method: 'DELETE' }))).toMatchObject({
      status: 404,
      code: 'ticket-not-found',
    });
    expect((await leader.read(ticketId)).state).toBe('waiting');
    const taken = jsonOf<TicketView>(
      await ask(stack.url, path, { method: 'DELETE', token: stack.run.operatorKey }),
    );
    expect(taken).toMatchObject({ state: 'cancelled', reason: expect.stringMatching(/operator/i) });
  });
});

describe('a ticket without a match', () => {
  it('expires, reports it, and frees its player', async () => {
    const ticket = await queueUp(stack, ['brief-1'], { queue: 'brief', build: 'brief' });
    const story = await ticket.story();

    expect(story.map((news) => news.state)).toEqual(['waiting', 'expired']);
    expect(story[1]).toMatchObject({
      closed: true,
      reason: expect.stringMatching(/No match was found in the time that the queue allows/),
    });
    expect(story[1]?.at).toBeGreaterThanOrEqual((await ticket.read()).expiresAt);
    const cancel = await call('brief-1', `/v1/tickets/${ticket.ticketId}`, { method: 'DELETE' });
    expect(problemOf(cancel)).toMatchObject({ status: 409, code: 'ticket-already-matched' });
    await queueUp(stack, ['brief-1'], { queue: 'brief', build: 'brief' });
  });

  it('gets its next state by long poll', async () => {
    const { ticketId, leader } = await queueUp(stack, ['poll-1'], { queue: '1v1', build: 'poll' });
    const path = `/v1/tickets/${ticketId}`;
    expect(jsonOf<TicketView>(await call('poll-1', `${path}?after=0&waitSeconds=30`))).toMatchObject({
      seq: 1,
    });
    expect(jsonOf<TicketView>(await call('poll-1', `${path}?after=1`))).toMatchObject({ seq: 1 });
    const polls = [1, 2, 3].map(() => call('poll-1', `${path}?after=1&waitSeconds=30`));
    await leader.cancel(ticketId);

    for (const poll of polls)
      expect(jsonOf<TicketView>(await poll)).toMatchObject({ seq: 2, state: 'cancelled' });
  });

  it('who names an event beyond the log gets the present state, and the log of the ticket stays as it is', async () => {
    const { ticketId, leader } = await queueUp(stack, ['beyond-1', 'beyond-2'], {
      queue: '5v5',
      build: 'beyond',
    });
    const path = `/v1/tickets/${ticketId}`;
    const told = jsonOf<TicketView>(await call('beyond-1', `${path}?after=200&waitSeconds=30`));
    expect(told.state).toBe('waiting');
    expect(told.seq).toBeGreaterThan(200);
    const poll = call('beyond-1', `${path}?after=${told.seq}&waitSeconds=30`);
    const headers = { 'last-event-id': '99' };
    const stream = call('beyond-1', `${path}/events`, { headers });
    await leader.cancel(ticketId);
    expect(jsonOf<TicketView>(await poll)).toMatchObject({ seq: told.seq + 1, state: 'cancelled' });
    expect((await stream).text).toMatch(/id: \d{3,}\n[^]*"state":"cancelled"/);
    const mates = (await call('beyond-2', `${path}/events`)).text;
    expect([...mates.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['1', '2']);
  });

  it('meets no player of another build', async () => {
    const old = await queueUp(stack, ['build-1'], { queue: '1v1', build: 'tickets-0' });
    const fresh = await queueUp(stack, ['build-2'], { queue: '1v1', build: 'tickets-1' });
    const third = await queueUp(stack, ['build-3'], { queue: '1v1', build: 'tickets-1' });

    const { matchId } = await fresh.assigned();
    expect((await third.assigned()).matchId).toBe(matchId);
    expect(await old.read()).toMatchObject({ state: 'waiting', seq: 1 });
    await old.leader.cancel(old.ticketId);
  });
});

describe('a party', () => {
  const build = 'party';
  const sign = async (key: string, leader: string, member: string, lifetime: string, to = 'muster-party') => {
    const jwk = JSON.parse(await readFile(join(stack.dataDir, 'keys', `${key}.jwk`), 'utf8')) as JWK;
    return new SignJWT({ leader })
      .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? key })
      .setSubject(member)
      .setAudience(to)
      .setIssuer('muster')
      .setExpirationTime(lifetime)
      .sign(await importJWK(jwk, 'EdDSA'));
  };
  const lead = (partyPasses: string[], queue = '5v5'): Promise<Answer> =>
    enqueue('party-leader', { queue, build, partyPasses });
  const passes = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, i) =>
        (await stack.player(`party-${i}`)).partyPass('party-leader'),
      ),
    );

  it.each([
    ['stale', () => sign('coordinator', 'party-leader', 'party-0', '-1s')],
    ['forged', () => sign('login', 'party-leader', 'party-0', '5m')],
    ['issued for another leader', async () => (await stack.player('party-0')).partyPass('someone-else')],
    ['a token of another kind', () => sign('coordinator', 'party-leader', 'party-0', '5m', 'muster-join')],
    ['a player’s token', () => stack.token('party-0')],
    ['no token at all', () => Promise.resolve('let-me-in')],
  ])('is refused if a pass is %s', async (_, makePass) => {
    const answer = await lead([await makePass()]);
    expect(problemOf(answer)).toMatchObject({ status: 422, code: 'party-pass-refused' });
    expect((await call('party-leader', '/v1/me/ticket')).status).toBe(404);
  });

  it('is refused if it is too large for the queue, or has duplicates', async () => {
    expect(problemOf(await lead(await passes(5)))).toMatchObject({ status: 422, code: 'party-too-large' });
    expect(problemOf(await lead(await passes(2), 'pairs'))).toMatchObject({
      status: 422,
      code: 'party-too-large',
    });
    expect(problemOf(await lead(await passes(1), '1v1'))).toMatchObject({
      status: 422,
      code: 'party-too-large',
    });
    const [pass = ''] = await passes(1);
    expect(problemOf(await lead([pass, pass]))).toMatchObject({ status: 422, code: 'player-twice' });
  });

  it('queues with the consent of its members, each of whom may read and cancel', async () => {
    const valid = await sign('coordinator', 'party-leader', 'party-0', '5m');
    const { ticketId, players } = jsonOf<TicketView>(await lead([valid, ...(await passes(2)).slice(1)]), 201);

    expect(players).toEqual(['party-leader', 'party-0', 'party-1']);
    expect(jsonOf<TicketView>(await call('party-1', `/v1/tickets/${ticketId}`)).ticketId).toBe(ticketId);
    await call('party-1', `/v1/tickets/${ticketId}`, { method: 'DELETE' });
    expect(jsonOf<TicketView>(await call('party-leader', `/v1/tickets/${ticketId}`)).state).toBe('cancelled');
  });
});

describe('waiting tickets', () => {
  const waiting = async (queue: string): Promise<z.infer<typeof WaitingView>['waiting']> =>
    (await stack.operator.waiting(queue)).waiting;

  it('are explained: too few, too far apart in skill, no common region', async () => {
    const alone = await queueUp(stack, ['why-alone'], { queue: '1v1', build: 'why-few' });
    for (let i = 0; i < 12; i++) {
      const teams = [['why-strong'], [`why-weak-${i}`]];
      await stack.operator.reportMatch({ eventId: `why-${i}`, pool: 'duel', teams, ranks: [1, 2] });
    }
    const strong = await queueUp(stack, ['why-strong'], { queue: '1v1', build: 'why-skill' });
    const weak = await queueUp(stack, ['why-weak-0'], { queue: '1v1', build: 'why-skill' });
    const here = await queueUp(stack, ['why-eu'], {
      queue: '1v1',
      build: 'why-region',
      latencyMs: { eu: 10 },
    });
    const there = await queueUp(stack, ['why-us'], {
      queue: '1v1',
      build: 'why-region',
      latencyMs: { us: 10 },
    });

    const told = new Map((await waiting('1v1')).map((ticket) => [ticket.ticketId, ticket]));
    expect(told.get(alone.ticketId)).toMatchObject({
      players: ['why-alone'],
      skill: 25,
      why: '1 of 2 players are here (build why-few): 1 more must queue. This is calibration match 1 of 10.',
    });
    expect(told.get(strong.ticketId)?.why).toMatch(
      /nearest are up to \d+\.\d apart and the window is \d\.\d; it will in \d+ s/,
    );
    expect(told.get(weak.ticketId)?.skill).toBeLessThan(told.get(strong.ticketId)?.skill ?? 0);
    expect(told.get(here.ticketId)?.why).toMatch(/but 1 of 2 in regions that are near enough to you/);
    for (const ticket of [alone, strong, weak, here, there]) await ticket.leader.cancel(ticket.ticketId);
    expect((await waiting('1v1')).map((ticket) => ticket.ticketId)).not.toContain(alone.ticketId);
  });

  it('lists the queues with their rules, including temporary ones', async () => {
    const { queues } = jsonOf<{ queues: { name: string; ticketTtlSeconds: number }[] }>(
      await ask(stack.url, '/v1/queues'),
    );
    const names = queues.map((queue) => queue.name);
    expect(names).toEqual(expect.arrayContaining(['5v5', '1v1', 'brief', 'pairs']));
    expect(queues.find((queue) => queue.name === 'brief')?.ticketTtlSeconds).toBe(1);
  });
});
