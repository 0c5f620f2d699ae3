import type { MatchView } from '@muster/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { ask, problemOf } from '../support/http.js';
import { openQueue } from '../support/open-queue.js';
import { queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const pool = 'boosters';
const queue = 'boosters';
const build = 'boosters-1';
const url = `/v1/pools/${pool}/boosters`;
const sigma = 2;
/** The middles of Gold and Platinum, of a pool with the default divisions. */
const [gold, platinum] = [25 - 0.25 * (25 / 3), 25 + 0.25 * (25 / 3)];

let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  stack = await sharedStack();
  const boosters = { matches: 3, kFactor: 2, divisions: 1 };
  await stack.operator.createPool({ name: pool, shadowMatches: 0, boosters });
  // Closer than the divisions: without a booster the two never meet.
  await openQueue(stack, queue, { pool, skillWindow: [{ afterSeconds: 0, limit: 3 }] });
  server = await GameServer.start(stack, { serverId: 'boosters-server', build });
  await stack.operator.setRating(pool, 'boost-amy', { mu: gold, sigma, reason: 'A test.' });
  await stack.operator.setRating(pool, 'boost-zoe', { mu: platinum, sigma, reason: 'A test.' });
});
afterAll(() => server?.stop());

const request = { queue, build };

/** Amy, with her booster, and Zoe play; Amy wins. */
async function play(): Promise<{ amy: Queued; match: MatchView }> {
  const amy = await queueUp(stack, ['boost-amy'], { ...request, booster: true });
  const zoe = await queueUp(stack, ['boost-zoe'], request);
  const { sessionId, matchId, team } = await amy.assigned();
  await server.report(sessionId, { winner: team });
  await Promise.all([amy.closed(), zoe.closed()]);
  return { amy, match: await stack.operator.match(matchId) };
}

const changeOf = (match: MatchView, playerId: string): number => {
  const player = match.players.find((each) => each.playerId === playerId);
  return (player?.after?.mu ?? NaN) - (player?.before?.mu ?? NaN);
};
const mine = async () => (await (await stack.player('boost-amy')).boosters(pool)).boosters;
const refusal = async (path: string, body: object) =>
  problemOf(await ask(stack.url, path, { token: stack.run.operatorKey, body }));

async function rebuildDone(): Promise<void> {
  await until(async () => (await stack.operator.rebuilds(pool)).rebuilds[0]?.state !== 'running');
  expect((await stack.operator.rebuilds(pool)).rebuilds[0]).toMatchObject({ state: 'done' });
}

describe('R21 a booster', () => {
  let boosterId: string;
  let match: MatchView;

  it('is granted once, to a division within reach, and used by its own player only', async () => {
    const token = await stack.token('boost-amy');
    const none = await ask(stack.url, '/v1/tickets', { token, body: { ...request, booster: true } });
    expect(problemOf(none)).toMatchObject({ status: 422, code: 'booster-refused' });
    const far = await refusal(url, { playerId: 'boost-amy', division: 'Diamond', reason: 'A test.' });
    expect(far).toMatchObject({ status: 422, code: 'booster-refused' });
    expect(far.detail).toContain('2 away from Gold');

    const asked = { playerId: 'boost-amy', division: 'Platinum', reason: 'bought', eventId: 'order-1' };
    const granted = await stack.operator.grantBooster(pool, asked);
    expect(granted).toMatchObject({ matches: 3, used: 0, matchesLeft: 3, kFactor: 2, by: 'operator' });
    ({ boosterId } = granted);
    expect(await stack.operator.grantBooster(pool, asked)).toEqual(granted);
    expect(await refusal(url, { ...asked, division: 'Silver' })).toMatchObject({
      status: 409,
      code: 'idempotency-key-reused',
    });
    const second = await refusal(url, { ...asked, eventId: 'order-2' });
    expect(second).toMatchObject({ status: 422, code: 'booster-refused' });
    expect(second.detail).toContain('boost-amy has a booster for Platinum');
    expect(await mine()).toMatchObject([{ boosterId, division: 'Platinum', matches: 3, matchesLeft: 3 }]);
  });

  it('leads to a match in the other division, whose teams count the own rating and whose players know', async () => {
    const played = await play();
    ({ match } = played);
    const [first] = await played.amy.story();
    expect(first?.reason).toContain('the match will be among players of Platinum');
    expect(await played.amy.read()).toMatchObject({ booster: { division: 'Platinum', higher: true } });
    expect(match.why.join(' ')).toContain('boost-amy plays up in Platinum as an apprentice, with a booster');
    expect(match.players.find(({ playerId }) => playerId === 'boost-amy')).toMatchObject({
      booster: { division: 'Platinum', higher: true },
      level: gold,
    });
    const { order } = await server.asked.first((asked) => asked.order.matchId === match.matchId);
    expect(order.boosted).toEqual([{ playerId: 'boost-amy', division: 'Platinum', higher: true }]);
    // By their ratings, not by the level at which they met.
    const team = match.players.find(({ playerId }) => playerId === 'boost-amy')?.team ?? 0;
    expect(match.prediction[team]).toBeLessThan(0.4);
  });

  it('moves its player twice as far, and nobody else', () => {
    const [amy, zoe] = [changeOf(match, 'boost-amy'), changeOf(match, 'boost-zoe')];
    // Equally uncertain, they would move alike.
    expect(amy).toBeCloseTo(-2 * zoe, 9);
    expect(zoe).toBeLessThan(0);
  });

  it('has a match less, and gets it back when the match is void', async () => {
    expect(await mine()).toMatchObject([{ boosterId, matchesLeft: 2 }]);
    await stack.operator.voidMatch(match.matchId, 'Played by bots.');
    await rebuildDone();
    expect(await mine()).toMatchObject([{ boosterId, matchesLeft: 3 }]);
    expect((await stack.operator.rating(pool, 'boost-amy')).mu).toBeCloseTo(gold, 9);
    await stack.operator.voidMatch(match.matchId, 'Once more.');
    expect(await mine()).toMatchObject([{ boosterId, matchesLeft: 3 }]);
  });

  it('counts the same in a rebuild, to the bit', async () => {
    const { match: again } = await play();
    expect(changeOf(again, 'boost-amy')).toBeCloseTo(-2 * changeOf(again, 'boost-zoe'), 9);
    const all = async () => (await stack.operator.ratings(pool, { limit: 10 })).ratings;
    const live = await all();
    await stack.operator.rebuildPool(pool, { reason: 'A test.' });
    await rebuildDone();
    expect(await all()).toEqual(live);
    expect(await mine()).toMatchObject([{ boosterId, matchesLeft: 2 }]);
  });

  it('ends when it is revoked', async () => {
    const revoked = await stack.operator.revokeBooster(pool, boosterId, { reason: 'refunded' });
    expect(revoked).toMatchObject({
      used: 1,
      matchesLeft: 0,
      revoked: { by: 'operator', reason: 'refunded' },
    });
    expect(await stack.operator.revokeBooster(pool, boosterId)).toEqual(revoked);
    const amy = await stack.token('boost-amy');
    const used = await ask(stack.url, '/v1/tickets', { token: amy, body: { ...request, booster: true } });
    expect(problemOf(used)).toMatchObject({ status: 422, code: 'booster-refused' });
    expect((await stack.operator.boosters(pool, { playerId: 'boost-amy' })).boosters).toEqual([revoked]);
    expect(await refusal(url, { playerId: 'boost-amy', division: 'Gold', reason: 'A test.' })).toMatchObject({
      status: 422,
    });
  });
});
