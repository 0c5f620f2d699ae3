import { QueueRulesSchema } from '@muster/contracts';
import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer, type Asked } from '../support/game-server.js';
import { queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const pool = 'backfill';
const queue = 'filled-up';

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
  const duel = defaultQueues.find(({ name }) => name === '1v1');
  if (!duel) throw new Error('there is no queue 1v1');
  const open = [{ afterSeconds: 0, limit: null }];
  const rules: QueueRules = {
    ...duel,
    name: queue,
    pool,
    teamSize: 2,
    maxPartySize: 2,
    skillWindow: open,
    teamGap: open,
    leavers: { coolDownSeconds: [600], forgiveAfterSeconds: 3_600 },
    backfill: { seconds: 120 },
    calibrationMatches: 0,
  };
  await stack.operator.createPool({ name: pool });
  await stack.operator.applyRules(queue, { rules: QueueRulesSchema.parse(rules) });
});

/** A server with its own build, so that only its players meet. */
class Court {
  private constructor(
    readonly build: string,
    readonly servers: readonly GameServer[],
  ) {}

  static async open(build: string, serverIds: readonly string[]): Promise<Court> {
    const servers = await Promise.all(
      serverIds.map((serverId) => GameServer.start(stack, { serverId, build, slots: 1 })),
    );
    opened.push(...servers);
    return new Court(build, servers);
  }

  queue(...players: string[]): Promise<Queued> {
    return queueUp(stack, players, { queue, build: this.build });
  }

  /** Four players in a match. @returns the server that runs it, with its order */
  async playing(players: readonly string[]): Promise<{ server: GameServer; tickets: Queued[] } & Asked> {
    const tickets: Queued[] = [];
    for (const player of players) tickets.push(await this.queue(player));
    const [first] = tickets;
    const at = await first?.assigned();
    for (const ticket of tickets) await ticket.assigned();
    for (const server of this.servers) {
      const asked = server.asked.all.find(({ sessionId }) => sessionId === at?.sessionId);
      if (asked) return { server, tickets, ...asked };
    }
    throw new Error('no server of this court runs the match');
  }
}
const opened: GameServer[] = [];
afterAll(() => Promise.all(opened.map((server) => server.stop())));

const rate = (playerId: string, mu: number) =>
  stack.operator.setRating(pool, playerId, { mu, sigma: 2, reason: 'For this story.' });

/** The leaver: the first player of the first team. */
function leaverOf({ order }: Asked): string {
  const [leaver] = order.teams[0] ?? [];
  if (leaver === undefined) throw new Error('a team has players');
  return leaver;
}

describe('C17 backfill', () => {
  it('selects of two waiting tickets the one that makes the teams even', async () => {
    const court = await Court.open('backfill-better', ['bf-better']);
    for (const player of ['be-a', 'be-b', 'be-c', 'be-d']) await rate(player, 25);
    await rate('be-strong', 34);
    await rate('be-even', 26);
    const game = await court.playing(['be-a', 'be-b', 'be-c', 'be-d']);
    const { server, sessionId, tickets } = game;
    const leaver = leaverOf(game);
    // The unsuitable ticket has waited longer.
    const strong = await court.queue('be-strong');
    const even = await court.queue('be-even');

    const asked = await server.backfill(sessionId, { team: 0, seats: 1, leavers: [leaver] });
    expect(asked).toMatchObject({ state: 'open', team: 0, seats: 1, seatsLeft: 1, playerIds: [] });
    const { backfillId, matchId } = asked;

    const at = await even.assigned();
    expect(at).toMatchObject({ matchId, sessionId, team: 0, joinToken: expect.stringMatching(/./) });
    const added = await server.added.first((each) => each.sessionId === sessionId);
    expect(added).toMatchObject({ backfillId, team: 0, playerIds: ['be-even'] });
    expect(await server.readBackfill(sessionId, backfillId)).toMatchObject({
      state: 'filled',
      seatsLeft: 0,
      playerIds: ['be-even'],
    });
    expect((await strong.read()).state).toBe('waiting');

    // The leaver is out of the match, and cools down.
    const gone = tickets.find(({ playerIds }) => playerIds.includes(leaver));
    expect(await gone?.closed()).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^You left/),
    });
    await expect(court.queue(leaver)).rejects.toMatchObject({ status: 429 });

    const story = await stack.operator.match(matchId);
    const late = story.players.find(({ playerId }) => playerId === 'be-even');
    expect(late).toMatchObject({ team: 0, backfillId, joinedAt: expect.any(Number), leftAt: null });
    expect(story.players.find(({ playerId }) => playerId === leaver)).toMatchObject({
      joinedAt: null,
      leftAt: expect.any(Number),
    });

    await server.report(sessionId, { winner: 0 });
    expect(await even.closed()).toMatchObject({ state: 'assigned', matchState: 'rated' });
    expect((await stack.operator.match(matchId)).players).toHaveLength(5);
    await strong.leader.cancel(strong.ticketId);
  });

  it('gives one ticket to one of two competing servers, and the next ticket to the other', async () => {
    const court = await Court.open('backfill-race', ['bf-race-1', 'bf-race-2']);
    const games = [
      await court.playing(['ra-a', 'ra-b', 'ra-c', 'ra-d']),
      await court.playing(['ra-e', 'ra-f', 'ra-g', 'ra-h']),
    ];
    const only = await court.queue('ra-only');
    const asked = await Promise.all(
      games.map(async (game) => ({
        ...game,
        ...(await game.server.backfill(game.sessionId, { team: 0, seats: 1, leavers: [leaverOf(game)] })),
      })),
    );
    const { sessionId } = await only.assigned();
    const winner = asked.find((each) => each.sessionId === sessionId);
    const other = asked.find((each) => each.sessionId !== sessionId);
    if (!winner || !other) throw new Error('one of them has it');
    expect(await winner.server.readBackfill(sessionId, winner.backfillId)).toMatchObject({
      state: 'filled',
      playerIds: ['ra-only'],
    });
    expect(await other.server.readBackfill(other.sessionId, other.backfillId)).toMatchObject({
      state: 'open',
      seatsLeft: 1,
      playerIds: [],
    });

    const next = await court.queue('ra-next');
    expect(await next.assigned()).toMatchObject({ sessionId: other.sessionId, matchId: other.matchId });
    expect(await other.server.readBackfill(other.sessionId, other.backfillId)).toMatchObject({
      state: 'filled',
      playerIds: ['ra-next'],
    });
    for (const { server } of games) expect(server.added.all).toHaveLength(1);
    for (const game of games) await game.server.report(game.sessionId, { winner: 1 });
    expect(await only.closed()).toMatchObject({ matchState: 'rated' });
    expect(await next.closed()).toMatchObject({ matchState: 'rated' });
  });

  it('fills no withdrawn request, and refuses an invalid one', async () => {
    const court = await Court.open('backfill-withdrawn', ['bf-wd-1', 'bf-wd-2']);
    const first = await court.playing(['wd-a', 'wd-b', 'wd-c', 'wd-d']);
    const second = await court.playing(['wd-e', 'wd-f', 'wd-g', 'wd-h']);
    const leaver = leaverOf(first);
    const { backfillId } = await first.server.backfill(first.sessionId, {
      team: 0,
      seats: 1,
      leavers: [leaver],
    });
    expect(await first.server.withdrawBackfill(first.sessionId, backfillId)).toMatchObject({
      state: 'withdrawn',
      seatsLeft: 1,
    });
    const ticket = await court.queue('wd-next');
    // If the first request were still open, it would be first.
    await second.server.backfill(second.sessionId, { team: 0, seats: 1, leavers: [leaverOf(second)] });
    expect(await ticket.assigned()).toMatchObject({ sessionId: second.sessionId });
    expect(await first.server.readBackfill(first.sessionId, backfillId)).toMatchObject({
      state: 'withdrawn',
      playerIds: [],
    });
    expect(first.server.added.all).toEqual([]);

    const wanted = { team: 0, seats: 1 };
    await expect(second.server.backfill(first.sessionId, wanted)).rejects.toMatchObject({
      code: 'not-allowed',
    });
    await expect(second.server.backfill(second.sessionId, wanted)).rejects.toMatchObject({
      code: 'backfill-refused',
    });
    await expect(
      first.server.backfill(first.sessionId, { ...wanted, leavers: ['wd-next'] }),
    ).rejects.toMatchObject({ code: 'backfill-refused', message: expect.stringContaining('wd-next') });
    await expect(first.server.readBackfill(first.sessionId, 'bfl_nobody-knows')).rejects.toMatchObject({
      code: 'backfill-not-found',
    });
    await first.server.report(first.sessionId, { winner: 0 });
    await expect(first.server.backfill(first.sessionId, wanted)).rejects.toMatchObject({
      code: 'session-withdrawn',
    });
    await second.server.report(second.sessionId, { winner: 0 });
  });

  it('returns a ticket to its old place if the server refuses it', async () => {
    const court = await Court.open('backfill-shut', ['bf-shut']);
    const game = await court.playing(['sh-a', 'sh-b', 'sh-c', 'sh-d']);
    game.server.letsIn = false;
    const ticket = await court.queue('sh-next');
    const { enqueuedAt } = await ticket.read();
    await game.server.backfill(game.sessionId, { team: 0, seats: 1, leavers: [leaverOf(game)] });
    const back = await ticket.until(({ state, seq }) => state === 'waiting' && seq > 1);
    expect(back.reason).toContain('the doors are shut');
    expect(await ticket.read()).toMatchObject({ state: 'waiting', enqueuedAt });
    await ticket.leader.cancel(ticket.ticketId);
    await game.server.report(game.sessionId, { winner: 0 });
  });
});
