import type { RosterReceipt, ServerRegistered } from '@muster/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { oldDatabase } from '../../support/compat/old-database.js';
import { recordedReleases } from '../../support/compat/release.js';
import { GameServer, register } from '../../support/game-server.js';
import { ask, jsonOf } from '../../support/http.js';
import { queueUp } from '../../support/party.js';
import { Stack } from '../../support/stack.js';
import { sharedStack } from '../shared-stack.js';

// An upgrade finds the database of an earlier release, with open matches. <version>/database.sql is such a database;
// Redis is empty, as after the loss of a store without a disk.

const patient = { timeout: 50_000, interval: 200 };

describe.each(recordedReleases())('the database of $version', (release) => {
  const { rated, open, ended, unplaced, party, rebuilding } = release.left;
  let stack: Stack;
  let resumed: z.infer<typeof ServerRegistered>;
  let late: GameServer | undefined;

  beforeAll(async () => {
    const shared = await sharedStack();
    stack = await Stack.start(['--single'], {
      env: { DATABASE_URL: await oldDatabase(shared.run.databaseUrl, release) },
    });
    // Its server ran all the time, and registers as soon as it can.
    resumed = await register(stack, { serverId: open.serverId, build: open.build, slots: 8 }, [
      open.sessionId,
    ]);
  });
  afterAll(async () => {
    await late?.stop();
    await stack?.stop();
  });

  it('lets a server continue its session, and accepts the result', async () => {
    expect(resumed.resumed).toEqual([open.sessionId]);
    const token = resumed.serverToken;
    const events = [{ seq: 3, kind: 'vote' }];
    const told = await ask(stack.url, `/v1/servers/${open.serverId}/rosters`, {
      token,
      body: { sessions: [{ sessionId: open.sessionId, events }] },
    });
    expect(jsonOf<RosterReceipt>(told).sessions).toMatchObject([{ outcome: 'taken', taken: 3 }]);
    const body = { winner: 0, scores: [3, 1] };
    const answer = await ask(stack.url, `/v1/sessions/${open.sessionId}/result`, { token, body });
    expect(jsonOf(answer)).toEqual({ matchId: open.matchId, counted: true });
    await vi.waitFor(
      async () => expect((await stack.operator.match(open.matchId)).state).toBe('rated'),
      patient,
    );
    const match = await stack.operator.match(open.matchId);
    expect(match.balance[0]).toMatchObject({ kind: 'balance', moves: [{ from: 0, to: 1 }] });
    for (const { before, after } of match.players) expect(after?.mu).not.toBe(before?.mu);
  });

  it('rates a match whose result was stored and whose job was not relayed yet', async () => {
    await vi.waitFor(
      async () => expect((await stack.operator.match(ended.matchId)).state).toBe('rated'),
      patient,
    );
  });

  it('shows a played match with its explanation', async () => {
    const match = await stack.operator.match(rated.matchId);
    expect(match).toMatchObject({ state: 'rated', queue: '1v1', placements: 1 });
    expect(match.why.join(' ')).toMatch(/Predicted chance to win/);
    expect(match.split?.certificate.status).toBe('proven');
    const rating = await stack.operator.rating(match.pool, rated.playerId);
    const player = match.players.find(({ playerId }) => playerId === rated.playerId);
    expect(rating).toMatchObject({ ...player?.after, matches: 1 });
    const { changes } = await stack.operator.ratingHistory(match.pool, rated.playerId);
    expect(changes.map(({ eventId }) => eventId)).toContain(rated.matchId);
  });

  it('finishes the running rebuild', async () => {
    await vi.waitFor(async () => {
      const { rebuilds } = await stack.operator.rebuilds(rebuilding.pool);
      expect(rebuilds.map(({ state }) => state)).toEqual(rebuilds.map(() => 'done'));
    }, patient);
  });

  it('keeps parties, avoid-lists, penalties, conflicts and rules', async () => {
    const leader = await stack.player(party.leader);
    expect((await leader.party()).party).toMatchObject({
      partyId: party.partyId,
      members: [{ playerId: party.leader }, {}],
      invitations: [{}],
    });
    const ticket = await leader.enqueue({
      queue: 'compat-pairs',
      build: 'compat-none',
      partyId: party.partyId,
    });
    expect(ticket).toMatchObject({ state: 'waiting', players: [party.leader, expect.any(String)] });
    expect(await leader.cancel(ticket.ticketId)).toBe(true);
    expect((await (await stack.player('left-bob')).avoided()).avoided).toMatchObject([
      { playerId: 'left-ann' },
    ]);
    expect((await stack.operator.penalties('compat-gus')).penalties).toHaveLength(2);
    expect((await stack.operator.conflicts()).conflicts).toHaveLength(2);
    expect((await stack.operator.rules('compat-duel')).versions).toHaveLength(1);
  });

  it('places the match that waited for a server, and matches new tickets', async () => {
    late = await GameServer.start(stack, { serverId: 'compat-late', build: unplaced.build });
    const { sessionId } = await late.asked.first(({ order }) => order.matchId === unplaced.matchId);
    await late.report(sessionId, { winner: 0 });
    const request = { queue: 'compat-duel', build: unplaced.build };
    const tickets = [await queueUp(stack, ['new-ann'], request), await queueUp(stack, ['new-bob'], request)];
    const next = await tickets[0]?.assigned();
    await late.report(next?.sessionId ?? '', { winner: 1 });
    for (const ticket of tickets) expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
  });
});
