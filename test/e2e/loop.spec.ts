import type { MatchView, RatingView, TicketView } from '@muster/contracts';
import { JoinTokens, PlayerClient } from '@muster/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { ask, jsonOf, problemOf } from '../support/http.js';
import { queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'loop-1';
const request = { queue: '5v5', build, latencyMs: { local: 20 } };
const crews = [['a1', 'a2', 'a3'], ['b1', 'b2'], ['c1'], ['d1'], ['e1'], ['f1'], ['g1']];
const everyone = crews.flat();

let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  stack = await sharedStack();
  server = await GameServer.start(stack, { serverId: 'loop-server', build, port: 31_337 });
});
afterAll(() => server?.stop());

const asPlayer = async (playerId: string): Promise<string> => stack.token(playerId);

async function ratings(): Promise<Map<string, RatingView>> {
  const answers = await Promise.all(
    everyone.map(async (playerId) =>
      jsonOf<RatingView>(
        await ask(stack.url, `/v1/ratings/default/${playerId}`, { token: stack.run.operatorKey }),
      ),
    ),
  );
  return new Map(answers.map((rating) => [rating.playerId, rating]));
}

/** Plays one match of all ten. @returns the rated match as operators see it */
async function play(winner: number): Promise<{ tickets: Queued[]; match: MatchView }> {
  const tickets = await Promise.all(crews.map((crew) => queueUp(stack, crew, request)));
  const assignments = await Promise.all(tickets.map((ticket) => ticket.assigned()));
  const [first] = assignments;
  if (!first) throw new Error('no assignment');
  await server.report(first.sessionId, { winner, scores: [13, 7] });
  await Promise.all(tickets.map((ticket) => ticket.closed()));
  return { tickets, match: await stack.operator.match(first.matchId) };
}

describe('the loop, from ten tickets to new ratings', () => {
  let tickets: Queued[];
  let teams: string[][];
  let match: MatchView;
  const winner = 1;

  it('makes one match of ten: teams of five, parties together', async () => {
    const attributes = { loadout: ['rifle', '★'] };
    tickets = await Promise.all(
      crews.map((crew) => queueUp(stack, crew, crew.length === 3 ? { ...request, attributes } : request)),
    );
    const assignments = await Promise.all(tickets.map((ticket) => ticket.assigned()));

    expect(new Set(assignments.map((a) => a.matchId)).size).toBe(1);
    expect(new Set(assignments.map((a) => a.sessionId)).size).toBe(1);
    for (const { host, port, serverId, region } of assignments) {
      expect({ host, port, serverId, region }).toEqual({
        host: '127.0.0.1',
        port: 31_337,
        serverId: 'loop-server',
        region: 'local',
      });
    }
    teams = [0, 1].map((team) => crews.filter((_, i) => assignments[i]?.team === team).flat());
    expect(teams.map((team) => team.length)).toEqual([5, 5]);
    const [asked] = await server.asked.many(1);
    expect(asked?.order.teams.map((team) => team.toSorted())).toEqual(teams.map((team) => team.toSorted()));
    expect(asked?.order.parties).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b2'],
    ]);
    expect(asked?.order.attributes).toEqual([{ playerIds: ['a1', 'a2', 'a3'], attributes }]);
    expect(server.asked.all).toHaveLength(1);
  });

  it('gives every player a join token, which a server verifies offline', async () => {
    const jwks = jsonOf(await ask(stack.url, '/.well-known/jwks.json'));
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    const joins = new JoinTokens({ url: stack.url });
    const tokens = new Set<string>();
    for (const ticket of tickets) {
      for (const [i, playerId] of ticket.playerIds.entries()) {
        const { assignment } = (await ticket.clients[i]?.read(ticket.ticketId)) ?? {};
        if (!assignment) throw new Error(`${playerId} sees no assignment`);
        const { matchId, sessionId, team, joinToken } = assignment;
        const join = await joins.verify(joinToken, sessionId);

        expect(join).toMatchObject({ playerId, matchId, sessionId, team });
        expect(join.expiresAt).toBeGreaterThan(Date.now());
        expect(teams[team]).toContain(playerId);
        tokens.add(joinToken);
      }
    }
    expect(tokens.size).toBe(10);
  });

  it('shows operators the assignment without join tokens', async () => {
    const { assignment } = await stack.operator.ticket(tickets[0]?.ticketId ?? '');
    expect(assignment).toMatchObject({ serverId: 'loop-server', joinToken: '' });
  });

  it('closes the tickets as rated after the report', async () => {
    const [asked] = await server.asked.many(1);
    const sessionId = asked?.sessionId ?? '';
    const accepted = await server.report(sessionId, { winner, scores: [7, 13] });
    expect(accepted).toEqual({ matchId: asked?.order.matchId, counted: true });

    for (const ticket of tickets) {
      expect(await ticket.closed()).toMatchObject({ state: 'assigned', matchState: 'rated' });
      const view: TicketView = await ticket.read();
      expect(view).toMatchObject({ closed: true, matchState: 'rated', matchId: asked?.order.matchId });
      expect(await ticket.leader.current()).toBeNull();
    }
    match = await stack.operator.match(accepted.matchId);
  });

  it('raises the winners and lowers the losers', async () => {
    const after = await ratings();
    for (const [team, ids] of teams.entries()) {
      for (const playerId of ids) {
        const rating = after.get(playerId);
        const before = match.players.find((player) => player.playerId === playerId)?.before;
        expect(rating?.matches).toBe(1);
        expect(Math.sign((rating?.mu ?? 0) - (before?.mu ?? 0))).toBe(team === winner ? 1 : -1);
        expect(rating?.sigma).toBeLessThan(before?.sigma ?? 0);
      }
    }
  });

  it('tells players of the change, without what is hidden from them', async () => {
    const player = await stack.player('a1');
    const history = await player.ratingHistory();
    expect(history).toMatchObject({ pool: 'default', playerId: 'a1' });
    expect(history.changes).toEqual([
      { at: match.endedAt, kind: 'match', matchId: match.matchId, before: null, after: null },
    ]);
    expect((await player.ratingHistory({ to: match.endedAt ?? 0 })).changes).toEqual([]);
  });

  it('explains the match', async () => {
    expect(match).toMatchObject({
      origin: 'queue',
      state: 'rated',
      queue: '5v5',
      pool: 'default',
      build,
      ranks: [2, 1],
      serverId: 'loop-server',
      region: 'local',
      placements: 1,
    });
    expect(match.why.join(' ')).toMatch(/10 players/);
    expect(match.why.join(' ')).toMatch(/most even/);
    // All ten are newcomers at 25: two even teams exist, and nothing is better.
    expect(match.split).toMatchObject({
      sums: [125, 125],
      difference: 0,
      ranked: true,
      certificate: { status: 'proven', value: 0, lowerBound: 0, gap: 0 },
    });
    expect(match.split?.method).not.toBe('');
    expect(match.split?.because).not.toBe('');
    expect(match.split?.operations).toBeGreaterThan(0);
    // A party of three takes the two or two of the five lone players: 1 + 5 · 4 / 2 ways.
    expect(match.split?.ways).toBe(11);
    expect(match.why.join(' ')).toMatch(
      /11 ways.*Found by .*\. The best of the others, rejected, differs by 0\.00/,
    );
    expect(match.split?.rejected).toMatchObject({ sums: [125, 125], difference: 0 });
    const rejected = match.split?.rejected?.teams ?? [];
    expect(rejected.map((team) => team.length)).toEqual([5, 5]);
    expect(rejected.flat().toSorted()).toEqual(everyone.toSorted());
    for (const crew of crews)
      expect(rejected.some((team) => crew.every((id) => team.includes(id)))).toBe(true);
    expect(rejected.map((team) => team.toSorted())).not.toContainEqual(teams[0]?.toSorted());
    expect(match.prediction).toHaveLength(2);
    expect(match.prediction.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
    const times = [match.proposedAt, match.formedAt, match.placedAt, match.endedAt, match.closedAt];
    // Each service writes its own time, and their clocks agree to a few milliseconds.
    for (const [i, time] of times.slice(1).entries()) expect(time).toBeGreaterThan(Number(times[i]) - 50);
    expect(match.players).toHaveLength(10);
    const now = await ratings();
    for (const { playerId, before, after, ticketId, waitedMs } of match.players) {
      expect(before?.mu).toBe(25);
      expect(after).toEqual({ mu: now.get(playerId)?.mu, sigma: now.get(playerId)?.sigma });
      expect(tickets.find((ticket) => ticket.playerIds.includes(playerId))?.ticketId).toBe(ticketId);
      expect(waitedMs).toBeGreaterThanOrEqual(0);
    }
  });

  it('lets the same ten queue again, with the new ratings', async () => {
    const { match: next } = await play(0);

    expect(next.matchId).not.toBe(match.matchId);
    for (const { playerId, before } of next.players) {
      expect(before).toEqual(match.players.find((player) => player.playerId === playerId)?.after);
    }
    expect([...(await ratings()).values()].map((rating) => rating.matches)).toEqual(everyone.map(() => 2));
    const { difference = Infinity, sums = [], rejected, certificate } = next.split ?? {};
    expect(certificate?.status).toBe('proven');
    expect(certificate?.value).toBeCloseTo(difference, 9);
    expect(Math.max(...sums) - Math.min(...sums)).toBeCloseTo(difference, 9);
    // With rounded weights it is no smaller; with these, except for rounding.
    expect(rejected?.difference).toBeGreaterThan(difference - 1e-9);
    for (const [team, sum] of sums.entries()) {
      const mus = next.players.filter((player) => player.team === team).map(({ level }) => level ?? NaN);
      expect(mus.reduce((a, b) => a + b, 0)).toBeCloseTo(sum, 9);
    }
  });

  it('shows a player only their own matches', async () => {
    const path = `/v1/matches/${match.matchId}`;
    const own = jsonOf<MatchView>(await ask(stack.url, path, { token: await asPlayer('a1') }));
    expect(own.matchId).toBe(match.matchId);
    expect(own.players.find((player) => player.playerId === 'b1')?.ticketId).toBeNull();
    // The explanation, as text; ratings are for operators only.
    expect(own.why.join(' ')).toMatch(/most even.*Predicted chance to win/);
    expect(own.why.join(' ')).not.toMatch(/rating points/);
    expect(own.split).toBeNull();
    for (const { before, after } of own.players) expect([before, after]).toEqual([null, null]);

    const stranger = await ask(stack.url, path, { token: await asPlayer('loop-stranger') });
    expect(problemOf(stranger)).toMatchObject({ status: 404, code: 'match-not-found' });
    const nobody = await ask(stack.url, path);
    expect(problemOf(nobody)).toMatchObject({ status: 401, code: 'not-authenticated' });
  });

  it('lists matches page by page, newest first', async () => {
    const first = await stack.operator.matches({ limit: 1, playerId: 'a1' });
    const second = await stack.operator.matches({ limit: 1, playerId: 'a1', cursor: first.next ?? '' });

    expect(second.matches.map((m) => m.matchId)).toEqual([match.matchId]);
    expect(first.matches[0]?.formedAt).toBeGreaterThan(match.formedAt ?? Infinity);
    const { matches: none } = await stack.operator.matches({ playerId: 'loop-stranger' });
    expect(none).toEqual([]);
  });

  it('lists a player’s own matches, newest first, without others’ tickets and without ratings', async () => {
    const player = new PlayerClient({ url: stack.url, token: await asPlayer('a1') });
    const first = await player.matches({ limit: 1 });
    expect(first.matches[0]?.matchId).not.toBe(match.matchId);
    const { matches: own, next } = await player.matches({ limit: 1, cursor: first.next ?? '' });
    expect(own.map(({ matchId }) => matchId)).toEqual([match.matchId]);
    expect(own[0]?.split).toBeNull();
    for (const { playerId, ticketId, level, before, after } of own[0]?.players ?? []) {
      expect(ticketId === null).toBe(playerId !== 'a1');
      expect([level, before, after]).toEqual([null, null, null]);
    }
    expect((await player.matches({ cursor: next ?? '' })).matches).toEqual([]);
    const stranger = new PlayerClient({ url: stack.url, token: await asPlayer('loop-stranger') });
    expect(await stranger.matches()).toEqual({ matches: [], next: null });
  });

  it('lists and exports the matches of a time range, by their end', async () => {
    const from = match.endedAt ?? NaN;
    const within = { from, to: from + 1, playerId: 'a1' };
    expect((await stack.operator.matches(within)).matches).toEqual([match]);
    const iso = new Date(from).toISOString();
    expect((await stack.operator.matches({ ...within, from: iso })).matches).toEqual([match]);
    expect((await stack.operator.matches({ to: from, playerId: 'a1' })).matches).toEqual([]);

    const later = await ask(stack.url, `/v1/matches/export?from=${from + 1}`, {
      token: stack.run.operatorKey,
    });
    expect(later.text).not.toContain(match.matchId);
    const then = await ask(stack.url, `/v1/matches/export?from=${iso}&to=${from + 1}`, {
      token: stack.run.operatorKey,
    });
    expect(JSON.parse(then.text.split('\n')[0] ?? '')).toEqual(match);
    const { changes } = await stack.operator.ratingHistory(match.pool, 'a1', { from, to: from + 1 });
    expect(changes.map(({ eventId }) => eventId)).toEqual([match.matchId]);
  });

  it('exports matches as JSON lines and as CSV, one row per player', async () => {
    const token = stack.run.operatorKey;
    const lines = await ask(stack.url, '/v1/matches/export?format=jsonl', { token });
    expect(lines.headers['content-type']).toBe('application/x-ndjson');
    const exported = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as MatchView);
    expect(exported.find((one) => one.matchId === match.matchId)).toEqual(match);

    const csv = await ask(stack.url, '/v1/matches/export?format=csv', { token });
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    const [head = '', ...rows] = csv.text.trimEnd().split('\r\n');
    const columns = head.split(',');
    const mine = rows
      .map((row) => Object.fromEntries(row.split(',').map((value, i) => [columns[i], value])))
      .filter((row) => row['match_id'] === match.matchId);
    expect(mine.map((row) => row['player_id']).toSorted()).toEqual(everyone.toSorted());
    for (const row of mine) {
      const player = match.players.find((one) => one.playerId === row['player_id']);
      expect(Number(row['mu_after'])).toBe(player?.after?.mu);
      expect(Number(row['rank'])).toBe(match.ranks[player?.team ?? -1]);
    }
  });
});
