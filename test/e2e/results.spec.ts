import type { AssignmentView, ConflictList, RatingView } from '@muster/contracts';
import type { ResultReport } from '@muster/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { GameServer, register } from '../support/game-server.js';
import { ask, jsonOf, problemOf, type Answer } from '../support/http.js';
import { duel, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'results-1';

let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  stack = await sharedStack();
  server = await GameServer.start(stack, { serverId: 'results-server', build, slots: 50 });
});
afterAll(() => server?.stop());

async function ratingOf(playerId: string): Promise<RatingView> {
  const path = `/v1/ratings/duel/${playerId}`;
  return jsonOf(await ask(stack.url, path, { token: stack.run.operatorKey }));
}

/** The contradictions of a match's result, newest first. */
async function conflictsOf(matchId: string): Promise<z.infer<typeof ConflictList>['conflicts']> {
  const { conflicts } = await stack.operator.conflicts();
  return conflicts.filter((conflict) => conflict.matchId === matchId);
}

function report(sessionId: string, token: string, body: ResultReport): Promise<Answer> {
  return ask(stack.url, `/v1/sessions/${sessionId}/result`, { token, body });
}

describe('a result', () => {
  let names: [string, string];
  let tickets: [Queued, Queued];
  let assignment: AssignmentView;
  let count = 0;

  beforeEach(async () => {
    count++;
    names = [`r${count}-one`, `r${count}-two`];
    tickets = await duel(stack, build, names);
    assignment = await tickets[0].assigned();
  });

  /** The match is closed with exactly one ledger entry per player. */
  async function ratedOnce(): Promise<void> {
    for (const ticket of tickets) expect(await ticket.closed()).toMatchObject({ matchState: 'rated' });
    for (const name of names) expect((await ratingOf(name)).matches).toBe(1);
  }

  it('counts once, however often it is reported', async () => {
    const { sessionId, team, matchId } = assignment;
    const scores = team === 0 ? [3, 1] : [1, 3];
    const result = { winner: team, scores, players: [{ playerId: names[0], stats: { frags: 7 } }] };

    expect(await server.report(sessionId, result)).toEqual({ matchId, counted: true });
    expect(await server.report(sessionId, result)).toEqual({ matchId, counted: false });
    await ratedOnce();
    expect(await server.report(sessionId, result)).toEqual({ matchId, counted: false });
    await ratedOnce();
    expect((await ratingOf(names[0])).mu).toBeGreaterThan((await ratingOf(names[1])).mu);
  });

  it('is the same with other habits, of which the stored result has none', async () => {
    const { sessionId, team, matchId } = assignment;
    const told = (winner: number, device: string): ResultReport => ({
      winner,
      players: [{ playerId: names[0], habits: { device } }],
    });
    expect(await server.report(sessionId, told(team, 'device-1'))).toEqual({ matchId, counted: true });
    expect(await server.report(sessionId, told(team, 'device-2'))).toEqual({ matchId, counted: false });
    await ratedOnce();
    await expect(server.report(sessionId, told(1 - team, 'device-3'))).rejects.toMatchObject({
      code: 'result-contradicts',
    });
    expect(JSON.stringify(await conflictsOf(matchId))).not.toContain('device');
  });

  it('is the same by winner and by ranks', async () => {
    const { sessionId, team } = assignment;
    const ranks = team === 0 ? [1, 2] : [2, 1];

    expect(await server.report(sessionId, { winner: team })).toMatchObject({ counted: true });
    expect(await server.report(sessionId, { ranks })).toMatchObject({ counted: false });
    await ratedOnce();
  });

  it('is a draw without a winner', async () => {
    await server.report(assignment.sessionId, { winner: null });
    await ratedOnce();

    expect((await stack.operator.match(assignment.matchId)).ranks).toEqual([1, 1]);
    const [one, two] = [await ratingOf(names[0]), await ratingOf(names[1])];
    expect(one.mu).toBeCloseTo(two.mu, 9);
    expect(one.sigma).toBeLessThan(25 / 3);
  });

  it('is refused if it contradicts, shown to operators, and changes nothing', async () => {
    const { sessionId, matchId } = assignment;
    await server.report(sessionId, { winner: null });

    const early = server.report(sessionId, { winner: 0, scores: [9, 0] });
    await expect(early).rejects.toMatchObject({ status: 409, code: 'result-contradicts' });
    await ratedOnce();
    await expect(server.report(sessionId, { winner: 1 })).rejects.toMatchObject({
      code: 'result-contradicts',
    });
    // A repeated contradiction is not recorded again.
    await expect(server.report(sessionId, { winner: 1 })).rejects.toMatchObject({
      code: 'result-contradicts',
    });

    const fresh = await conflictsOf(matchId);
    expect(fresh).toMatchObject([
      { matchId, reportedBy: 'results-server', body: { winner: 1 } },
      { matchId, reportedBy: 'results-server', body: { winner: 0, scores: [9, 0] } },
    ]);
    expect(fresh[0]?.reason).toMatch(/another result/);

    // An effect of a contradiction would show in the next match, which is rated later.
    const { players } = await stack.operator.match(matchId);
    const [again] = await duel(stack, build, names);
    const { sessionId: nextSession, matchId: nextMatch } = await again.assigned();
    await server.report(nextSession, { winner: null });
    await again.closed();
    for (const { playerId, before: mine } of (await stack.operator.match(nextMatch)).players) {
      expect(mine).toEqual(players.find((player) => player.playerId === playerId)?.after);
      expect((await ratingOf(playerId)).matches).toBe(2);
    }
  });

  it('is refused from a server that does not host the session', async () => {
    const other = await register(stack, { serverId: 'results-other', build: 'results-elsewhere' });
    const answer = await report(assignment.sessionId, other.serverToken, { winner: 0 });

    expect(problemOf(answer)).toMatchObject({ status: 403, code: 'not-allowed' });
    expect((await stack.operator.match(assignment.matchId)).state).toBe('placed');
    await server.report(assignment.sessionId, { winner: 1 });
    await ratedOnce();
    // Not even a correct one, and not even afterwards.
    const late = await report(assignment.sessionId, other.serverToken, { winner: 1 });
    expect(problemOf(late)).toMatchObject({ status: 403, code: 'not-allowed' });
  });

  it('is refused with another number of teams, and may be corrected', async () => {
    const { sessionId } = assignment;
    const three = server.report(sessionId, { ranks: [1, 2, 3] });
    await expect(three).rejects.toMatchObject({ status: 422, code: 'result-invalid' });
    await expect(server.report(sessionId, { winner: 2 })).rejects.toMatchObject({
      status: 422,
      code: 'result-invalid',
    });

    expect(await server.report(sessionId, { winner: 0 })).toMatchObject({ counted: true });
    await ratedOnce();
  });

  it('is refused for an unknown session', async () => {
    const unknown = server.report('ses_nobody-knows-this', { winner: 0 });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'session-not-found' });
    await server.report(assignment.sessionId, { winner: 0 });
    await ratedOnce();
  });

  it('is rated once for twenty concurrent equal reports', async () => {
    const { sessionId } = assignment;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.report(sessionId, { winner: 0 })),
    );

    expect(answers.filter((answer) => answer.counted)).toHaveLength(1);
    await ratedOnce();
  });

  it('is one of twenty different concurrent reports, and the others are stored', async () => {
    const { sessionId, matchId } = assignment;
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => server.report(sessionId, { winner: 0, scores: [i, 0] })),
    );

    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    await ratedOnce();
    expect(await conflictsOf(matchId)).toHaveLength(19);
  });
});

describe('a result of a match that the coordinator did not form', () => {
  it('is rated once per event id, and its contradiction is stored', async () => {
    const match = { eventId: 'community-1', pool: 'duel', teams: [['x-one'], ['x-two']], ranks: [1, 2] };
    const first = await stack.operator.reportMatch(match);
    const again = await stack.operator.reportMatch(match);

    expect(first.counted).toBe(true);
    expect(again).toEqual({ ...first, counted: false });
    await expect(stack.operator.reportMatch({ ...match, ranks: [2, 1] })).rejects.toMatchObject({
      status: 409,
      code: 'result-contradicts',
    });
    expect(await ratingOf('x-one')).toMatchObject({ matches: 1 });
    expect(await conflictsOf(first.matchId)).toMatchObject([{ reportedBy: 'operator' }]);
  });

  it('changes no ratings of a queue’s pool by the server key, unless the pool allows it', async () => {
    const { operatorKey, serverKey } = stack.run;
    const pools = ['results-league', 'results-open'];
    for (const name of pools)
      await ask(stack.url, '/v1/pools', {
        token: operatorKey,
        body: { name, serverResults: name === 'results-open' },
      });
    const tell = (pool: string): Promise<Answer> =>
      ask(stack.url, '/v1/results', {
        token: serverKey,
        body: { eventId: 'by-a-server', pool, teams: [['s-one'], ['s-two']], ranks: [1, 2] },
      });
    expect(problemOf(await tell('duel'))).toMatchObject({
      status: 403,
      code: 'not-allowed',
      detail: expect.stringContaining('A queue uses the pool "duel"'),
    });
    const round = { pool: 'duel', roundId: 'by-a-server', teams: [['s-one'], ['s-two']], winner: 0 };
    expect((await ask(stack.url, '/v1/rounds/update', { token: serverKey, body: round })).status).toBe(403);
    for (const pool of pools) expect((await tell(pool)).status).toBe(201);
  });
});

describe('players whose ids are names of every object', () => {
  it('are rated like others: by their shares, facts, times and stats, and with their names', async () => {
    const pool = 'names-of-objects';
    await stack.operator.createPool({ name: pool, shadowMatches: 0 });
    const reported = async (one: string, two: string, more: object): Promise<number[]> => {
      const raw = JSON.stringify({
        eventId: `of-${one}`,
        pool,
        teams: [[one], [two]],
        ranks: [1, 2],
        playedAt: 1_700_000_000_000,
        ...more,
      });
      jsonOf(await ask(stack.url, '/v1/results', { token: stack.run.operatorKey, raw }), 201);
      const { ratings } = await stack.operator.ratings(pool, { limit: 100 });
      return [one, two].map((id) => ratings.find(({ playerId }) => playerId === id)?.mu ?? NaN);
    };
    const aboutThem = (one: string, two: string): object => ({
      shares: { [one]: 0.1, [two]: 1 },
      facts: { [one]: { kills: 3 }, [two]: { kills: 4 } },
      stats: { [one]: { [one]: 1 }, [two]: { [two]: 2 } },
      names: { [one]: 'Con', [two]: '\u0000' },
    });
    const plain = await reported('plain-one', 'plain-two', aboutThem('plain-one', 'plain-two'));
    expect(await reported('full-one', 'full-two', {})).not.toEqual(plain);
    expect(await reported('constructor', 'toString', aboutThem('constructor', 'toString'))).toEqual(plain);
    const { name } = await stack.operator.rating(pool, 'constructor');
    // One name was not valid, and cost neither the other one nor the result.
    expect([name, (await stack.operator.rating(pool, 'toString')).name]).toEqual(['Con', null]);

    const timesOf = (id: string): object => ({ lengthMs: 9, times: { [id]: [{ fromMs: 0, toMs: 3 }] } });
    expect(await reported('valueOf', 'hasOwnProperty', timesOf('valueOf'))).toEqual(
      await reported('time-one', 'time-two', timesOf('time-one')),
    );
  });

  it('queue, play and are rated', async () => {
    const [one] = await duel(stack, build, ['constructor', 'toString']);
    const { sessionId, team } = await one.assigned();
    const players = ['constructor', 'toString'].map((playerId) => ({ playerId, stats: { constructor: 7 } }));
    expect(await server.report(sessionId, { winner: team, players })).toMatchObject({ counted: true });
    expect(await one.closed()).toMatchObject({ matchState: 'rated' });
    expect((await ratingOf('constructor')).mu).toBeGreaterThan((await ratingOf('toString')).mu);
  });
});
