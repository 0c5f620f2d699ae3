import type { LeaderboardView, MatchView } from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, problemOf } from '../support/http.js';
import { muster } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

const pool = 'boards';
const url = `/v1/pools/${pool}/leaderboard`;
let stack: Stack;
let played = 0;

async function play(winner: string, loser: string, more: object = {}): Promise<void> {
  played++;
  await stack.operator.reportMatch({
    eventId: `board-match-${played}`,
    pool,
    teams: [[winner], [loser]],
    ranks: [1, 2],
    ...more,
  });
}

beforeAll(async () => {
  stack = await storiesStack();
  await stack.operator.createPool({ name: pool, shadowMatches: 2 });
  for (let i = 0; i < 3; i++)
    await play('ada', 'bob', { region: 'eu', names: { ada: 'Ada L.', bob: 'Bob' } });
  for (let i = 0; i < 2; i++) await play('cyd', 'bob', { region: 'us' });
  await play('ada', 'dan', { region: 'eu' });
});

/** The board once it has followed the last match. */
async function boardWith(players: number, query: Parameters<Stack['operator']['leaderboard']>[1] = {}) {
  for (;;) {
    const board = await stack.operator.leaderboard(pool, query);
    if (board.players === players) return board;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a leaderboard', () => {
  it('has ranks, names and divisions; figures are for operators', async () => {
    const board = await boardWith(3);
    expect(board).toMatchObject({ pool, region: null, season: null, players: 3, notRanked: null });
    expect(board.rows.map(({ rank, playerId, name }) => [rank, playerId, name])).toEqual([
      [1, 'ada', 'Ada L.'],
      [2, 'cyd', null],
      [3, 'bob', 'Bob'],
    ]);
    expect(board.rows[0]?.mu).toBe((await stack.operator.rating(pool, 'ada')).mu);

    const token = await stack.token('dan');
    const seen = jsonOf<LeaderboardView>(await ask(stack.url, url, { token }));
    expect(seen.rows.map(({ rank, playerId }) => [rank, playerId])).toEqual([
      [1, 'ada'],
      [2, 'cyd'],
      [3, 'bob'],
    ]);
    expect(JSON.stringify(seen)).not.toContain('"mu"');
  });

  it('shows neighbours and friends, and says why somebody is not ranked', async () => {
    const token = await stack.token('dan');
    const own = jsonOf<LeaderboardView>(await ask(stack.url, `${url}?around=dan`, { token }));
    expect(own).toMatchObject({ rows: [], notRanked: 'The rating of dan is shown after one more match.' });
    const other = await stack.token('bob');
    const hidden = jsonOf<LeaderboardView>(await ask(stack.url, `${url}?around=dan`, { token: other }));
    expect(hidden.notRanked).toBe('dan is not on this leaderboard.');
    const near = jsonOf<LeaderboardView>(await ask(stack.url, `${url}?around=cyd&limit=1`, { token }));
    expect(near.rows.map(({ rank, playerId }) => [rank, playerId])).toEqual([[2, 'cyd']]);
    const friends = await stack.operator.leaderboard(pool, { players: 'bob,ada,dan,nobody' });
    expect(friends.rows.map(({ rank, playerId }) => [rank, playerId])).toEqual([
      [1, 'ada'],
      [3, 'bob'],
    ]);
  });

  it('is kept for each region', async () => {
    const us = await boardWith(2, { region: 'us' });
    expect(us.rows.map(({ rank, playerId }) => [rank, playerId])).toEqual([
      [1, 'cyd'],
      [2, 'bob'],
    ]);
    const eu = await stack.operator.leaderboard(pool, { region: 'eu', around: 'bob' });
    expect(eu).toMatchObject({ players: 1, notRanked: 'bob played last in us, not in eu.' });
  });

  it('follows results, and names that servers tell', async () => {
    await stack.operator.namePlayers({ cyd: 'Cyd 🐉', dan: 'Dan' });
    await play('dan', 'bob');
    const board = await boardWith(4);
    expect(Object.fromEntries(board.rows.map(({ playerId, name }) => [playerId, name]))).toMatchObject({
      cyd: 'Cyd 🐉',
      dan: 'Dan',
    });
  });

  it('has names beside ids where matches and ratings are read, also from a token that queues', async () => {
    const named = async (playerId: string, claims?: { name: string }) => stack.player(playerId, claims);
    const gus = await named('gus', { name: 'Gus of Token' });
    const ticket = await gus.enqueue({ queue: '1v1', build: 'names-alone' });
    await gus.cancel(ticket.ticketId);
    await play('gus', 'ada', { names: { ada: 'Ada L.' } });
    while ((await stack.operator.rating(pool, 'gus')).name === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await stack.operator.ratingHistory(pool, 'gus')).toMatchObject({ name: 'Gus of Token' });
    const { ratings } = await stack.operator.ratings(pool, { limit: 100 });
    expect(ratings.find(({ playerId }) => playerId === 'gus')?.name).toBe('Gus of Token');

    const wanted = [
      ['gus', 'Gus of Token'],
      ['ada', 'Ada L.'],
    ];
    const namesOf = (
      match: { players: { playerId: string; name?: string | null | undefined }[] } | undefined,
    ) =>
      match?.players
        .map(({ playerId, name }) => [playerId, name])
        .toSorted()
        .toReversed();
    const [mine] = (await (await named('gus')).matches({ limit: 1 })).matches;
    expect(namesOf(mine)).toEqual(wanted);
    const token = await stack.token('ada');
    const read = await ask(stack.url, `/v1/matches/${mine?.matchId}`, { token });
    expect(namesOf(jsonOf<MatchView>(read))).toEqual(wanted);
    const [listed] = (await stack.operator.matches({ playerId: 'gus', limit: 1 })).matches;
    expect(namesOf(listed)).toEqual(wanted);
    const exported = await ask(stack.url, `/v1/matches/export?pool=${pool}`, {
      token: stack.run.operatorKey,
    });
    expect(exported.text).not.toContain('Gus of Token');
  });

  it('explains what it refuses', async () => {
    const token = stack.run.operatorKey;
    const two = problemOf(await ask(stack.url, `${url}?from=2&around=ada`, { token }));
    expect(two).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(two.detail).toContain('give one of from, around and players');
    expect(problemOf(await ask(stack.url, '/v1/pools/none/leaderboard', { token }))).toMatchObject({
      status: 404,
      code: 'pool-not-found',
    });
    const named = problemOf(
      await ask(stack.url, '/v1/player-names', {
        token,
        method: 'PUT',
        body: { names: { ada: 'two\nlines' } },
      }),
    );
    expect(named).toMatchObject({ status: 400 });
    expect(named.detail).toContain('one line of text');
  });

  it('is a command', async () => {
    const { code, stdout } = await muster([
      'leaderboard',
      pool,
      '--around',
      'ada',
      '--data-dir',
      stack.dataDir,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^players +4$/m);
    expect(stdout).toMatch(/^ +1 {2}ada +Ada L\. /m);
  });
});
