import type { RatingView, SeasonStandings } from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, problemOf } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';

const pool = 'seasons';
const rules = { keep: 0.5, uncertainty: 0.8, placementMatches: 2 };
const url = `/v1/pools/${pool}/seasons`;

let stack: Stack;
let played = 0;
/** Minutes ago: who played long ago has no rank. */
const from = Date.now() - 600_000;

beforeAll(async () => {
  stack = await storiesStack();
  await stack.operator.createPool({ name: pool, shadowMatches: 0, season: rules });
  for (let i = 0; i < 4; i++) await play('sue', 'tom');
  await play('sue', 'uma');
});

async function play(winner: string, loser: string): Promise<void> {
  played++;
  await stack.operator.reportMatch({
    eventId: `season-match-${played}`,
    pool,
    teams: [[winner], [loser]],
    ranks: [1, 2],
    playedAt: from + played,
  });
}

const ratingOf = (playerId: string): Promise<RatingView> => stack.operator.rating(pool, playerId);

/** Read until they are there: the client repeats a call that is answered 503. */
const archived = (number: number): Promise<SeasonStandings> => stack.operator.seasonStandings(pool, number);

describe('a season', () => {
  it('is previewed, and does what the preview said', async () => {
    const before = await ratingOf('sue');
    const preview = await stack.operator.previewSeason(pool);
    expect(preview).toMatchObject({ number: 1, rules, players: 3 });
    expect(await ratingOf('sue')).toEqual(before);

    expect(await stack.operator.beginSeason(pool, 1, { name: 'Winter' })).toMatchObject({
      number: 1,
      name: 'Winter',
      state: 'running',
      by: 'operator',
    });
    const after = await ratingOf('sue');
    expect(after.mu).toBeCloseTo(25 + 0.5 * (before.mu - 25), 10);
    expect(after.sigma).toBeCloseTo(Math.max(before.sigma, (0.8 * 25) / 3), 10);
    expect(after).toMatchObject({ matches: 5, seasonMatches: 0, shadow: { hidden: true, matchesLeft: 2 } });
    const unchanged = { keep: 1, uncertainty: 0, placementMatches: 0 };
    expect((await stack.operator.previewSeason(pool, { rules: unchanged })).before).toEqual(preview.after);
  });

  it('begins once, and in its order', async () => {
    for (const again of [{}, { name: 'Winter' }])
      expect(await stack.operator.beginSeason(pool, 1, again)).toMatchObject({ number: 1, name: 'Winter' });
    const token = stack.run.operatorKey;
    const other = await ask(stack.url, `${url}/1`, { token, body: { name: 'Another' } });
    expect(problemOf(other)).toMatchObject({ status: 409, code: 'season-conflict' });
    const past = await ask(stack.url, `${url}/2`, { token, body: { startsAt: 1_800_000_000 } });
    expect(problemOf(past)).toMatchObject({ status: 422, code: 'time-past' });
    expect(problemOf(past).detail).toContain('1970-01-21');
    const early = await ask(stack.url, `${url}/3`, { token, body: {} });
    expect(problemOf(early)).toMatchObject({ status: 409, code: 'season-conflict' });
    expect(problemOf(early).detail).toContain('season 2');
    const player = await stack.token('sue');
    expect(problemOf(await ask(stack.url, `${url}/2`, { token: player, body: {} }))).toMatchObject({
      status: 403,
    });
    const none = await ask(stack.url, '/v1/pools/duel/seasons/1', { token, body: {} });
    expect(problemOf(none)).toMatchObject({ status: 422, code: 'pool-invalid' });
  });

  it('keeps final standings, in which players see no figures', async () => {
    const { season, standings } = await archived(0);
    expect(season).toMatchObject({ number: 0, state: 'ended', ranked: 3 });
    expect(standings.map(({ rank, playerId, matches }) => [rank, playerId, matches])).toEqual([
      [1, 'sue', 5],
      [2, 'uma', 1],
      [3, 'tom', 4],
    ]);
    const asPlayer = await ask(stack.url, `${url}/0/standings?players=tom,uma`, {
      token: await stack.token('tom'),
    });
    expect(jsonOf<SeasonStandings>(asPlayer).standings).toHaveLength(2);
    expect(asPlayer.text).not.toMatch(/"(mu|sigma|display)"/);
    const running = await ask(stack.url, `${url}/1/standings`, { token: await stack.token('tom') });
    expect(problemOf(running)).toMatchObject({ status: 404, code: 'season-not-found' });
  });

  it('shows a division again after the placement matches', async () => {
    const shownTo = async (playerId: string) => (await stack.player(playerId)).rating(pool);
    expect(await shownTo('sue')).toMatchObject({ division: null, matchesUntilShown: 2, seasonMatches: 0 });
    await play('sue', 'tom');
    await play('sue', 'tom');
    expect(await shownTo('sue')).toMatchObject({ matchesUntilShown: 0, seasonMatches: 2, matches: 7 });
    expect(await shownTo('uma')).toMatchObject({ division: null, matchesUntilShown: 2 });
  });

  it('is a row of the history', async () => {
    const { changes } = await stack.operator.ratingHistory(pool, 'sue');
    expect(changes.slice(0, 3).map(({ kind, reason }) => [kind, reason])).toEqual([
      ['match', null],
      ['match', null],
      ['season', 'Season 1 began: Winter.'],
    ]);
  });

  it('is announced, withdrawn, and begins at its time', async () => {
    const later = Date.now() + 3_600_000;
    expect(await stack.operator.beginSeason(pool, 2, { startsAt: later })).toMatchObject({
      state: 'announced',
      startsAt: later,
    });
    const player = await stack.player('sue');
    expect((await player.seasons(pool)).seasons[0]).toMatchObject({ number: 2, state: 'announced' });
    await stack.operator.withdrawSeason(pool, 2);
    expect((await player.seasons(pool)).seasons[0]).toMatchObject({ number: 1, state: 'running' });

    await stack.operator.beginSeason(pool, 2, { startsAt: Date.now() + 1_000, name: 'Spring' });
    while ((await player.seasons(pool)).seasons[0]?.state !== 'running')
      await new Promise((resolve) => setTimeout(resolve, 100));
    const ended = await archived(1);
    expect(ended.standings.map(({ playerId }) => playerId)).toEqual(['sue', 'tom']);
    const uma = await stack.operator.seasonStandings(pool, 1, { players: 'uma' });
    expect(uma.standings).toEqual([]);
  });

  it('is rebuilt to the bit', async () => {
    await play('tom', 'sue');
    const all = async () => (await stack.operator.ratings(pool, { limit: 100 })).ratings;
    const live = await all();
    await stack.operator.rebuildPool(pool, { reason: 'A test.' });
    while ((await stack.operator.rebuilds(pool)).rebuilds[0]?.state === 'running')
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await stack.operator.rebuilds(pool)).rebuilds[0]).toMatchObject({ state: 'done' });
    expect(await all()).toEqual(live);
  });
});
