import type { MyRatingView, PoolHealth, PoolView, RatingView, RebuildView } from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, problemOf, type Answer } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { storiesStack } from './stories-stack.js';
import { createDb } from '../support/prisma.js';

let stack: Stack;

beforeAll(async () => {
  stack = await storiesStack();
});

const asOperator = (path: string, body?: unknown, method?: string): Promise<Answer> =>
  ask(stack.url, path, {
    token: stack.run.operatorKey,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  });

const ratingOf = async (pool: string, playerId: string): Promise<RatingView> =>
  jsonOf(await asOperator(`/v1/ratings/${pool}/${playerId}`));

const mine = async (pool: string, playerId: string): Promise<{ text: string; view: MyRatingView }> => {
  const answer = await ask(stack.url, `/v1/me/rating?pool=${pool}`, { token: await stack.token(playerId) });
  return { text: answer.text, view: jsonOf(answer) };
};

let matches = 0;
async function report(pool: string, teams: string[][], ranks: number[], more: object = {}): Promise<Answer> {
  matches++;
  const eventId = `m${matches}`;
  return asOperator('/v1/results', {
    eventId,
    pool,
    teams,
    ranks,
    playedAt: 1_700_000_000_000 + matches,
    ...more,
  });
}

/** All players' ratings, without their read times. */
async function allOf(pool: string): Promise<Pick<RatingView, 'playerId' | 'mu' | 'sigma' | 'matches'>[]> {
  const { ratings } = await stack.operator.ratings(pool, { limit: 10_000 });
  return ratings.map(({ playerId, mu, sigma, matches: played }) => ({
    playerId,
    mu,
    sigma,
    matches: played,
  }));
}

async function rebuilt(pool: string): Promise<RebuildView> {
  for (;;) {
    const { rebuilds } = await stack.operator.rebuilds(pool);
    const [latest] = rebuilds;
    if (latest && latest.state !== 'running') return latest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('the margin of a pool', () => {
  it('weighs wins by their scores, live and in a rebuild to the bit', async () => {
    const scored = (first: number, second: number): object => ({
      facts: {
        nan: { scoredFor: first, scoredAgainst: second },
        oli: { scoredFor: second, scoredAgainst: first },
      },
    });
    for (const [name, parameters] of [
      ['scores', { margin: 5 }],
      ['ranks', {}],
    ] as const) {
      await stack.operator.createPool({ name, model: 'elo', parameters });
      await report(name, [['nan'], ['oli']], [1, 2], scored(6, 5));
      await report(name, [['nan'], ['oli']], [2, 1], scored(2, 3));
      await report(name, [['nan'], ['oli']], [1, 2], scored(30, 2));
    }
    const narrow = await ratingOf('scores', 'nan');
    expect(narrow.mu).toBeGreaterThan((await ratingOf('ranks', 'nan')).mu);
    const before = await allOf('scores');
    await stack.operator.rebuildPool('scores', { reason: 'A test.' });
    expect(await rebuilt('scores')).toMatchObject({ state: 'done', skipped: 0 });
    expect(await allOf('scores')).toEqual(before);
  });
});

describe('a player’s view of the rating', () => {
  it('is hidden for the first matches, then a division, never a number; operators see both', async () => {
    await stack.operator.createPool({
      name: 'ladder',
      shadowMatches: 2,
      divisions: [
        { name: 'Wood', from: null },
        { name: 'Iron', from: 20 },
        { name: 'Steel', from: 27 },
      ],
      divisionMargin: 0.5,
    });
    await report('ladder', [['ann'], ['ben']], [1, 2]);
    const shadow = await mine('ladder', 'ann');
    expect(shadow.view).toEqual({
      pool: 'ladder',
      playerId: 'ann',
      matches: 1,
      division: null,
      matchesUntilShown: 1,
      stale: true,
      inactiveFrom: null,
    });
    expect(await ratingOf('ladder', 'ann')).toMatchObject({ shadow: { hidden: true, matchesLeft: 1 } });

    await report('ladder', [['ann'], ['ben']], [1, 2]);
    const shown = await mine('ladder', 'ann');
    expect(shown.view).toMatchObject({
      matches: 2,
      division: { name: 'Steel', step: 3, of: 3 },
      matchesUntilShown: 0,
    });
    expect(shown.text).not.toMatch(/mu|sigma|display|"\d+\.\d/);
    const seen = await ratingOf('ladder', 'ann');
    expect(seen).toMatchObject({ division: { name: 'Steel' }, shadow: { hidden: false }, matches: 2 });
    expect(seen.mu).toBeGreaterThan(27.5);
    expect((await ratingOf('ladder', 'ben')).division.name).not.toBe('Steel');
  });

  it('is set by its mean alone: the uncertainty is unchanged', async () => {
    const before = await ratingOf('ladder', 'ben');
    expect(before.sigma).toBeLessThan(8);
    const reason = 'Known from elsewhere.';
    expect(await stack.operator.setRating('ladder', 'ben', { mu: 30, reason })).toMatchObject({
      mu: 30,
      sigma: before.sigma,
    });
    expect(await stack.operator.setRating('ladder', 'zoe', { mu: 30, reason })).toMatchObject({
      sigma: 25 / 3,
    });
  });

  it('shows no player any numbers', async () => {
    const token = await stack.token('ann');
    for (const path of ['/v1/ratings/ladder/ann', '/v1/ratings/ladder', '/v1/ratings/ladder/ann/history'])
      expect(problemOf(await ask(stack.url, path, { token }))).toMatchObject({
        status: 403,
        code: 'not-allowed',
      });
  });

  it('keeps a division at its border, despite small losses', async () => {
    await stack.operator.setRating('ladder', 'cat', { mu: 27.6, sigma: 1, reason: 'Known from elsewhere.' });
    expect((await ratingOf('ladder', 'cat')).division.name).toBe('Steel');
    await stack.operator.setRating('ladder', 'cat', { mu: 26.7, sigma: 1, reason: 'A little less.' });
    expect((await ratingOf('ladder', 'cat')).division.name).toBe('Steel');
    await stack.operator.setRating('ladder', 'cat', { mu: 26.4, sigma: 1, reason: 'Less.' });
    expect((await ratingOf('ladder', 'cat')).division.name).toBe('Iron');
  });
});

describe('pools as data', () => {
  it('are created once, shown, and changed by versions', async () => {
    const made = jsonOf<PoolView>(
      await asOperator('/v1/pools', {
        name: 'insta',
        gameMode: 'ctf',
        modifiers: ['low-gravity', 'instagib', 'instagib'],
        model: 'glicko2',
        parameters: { tau: 0.7 },
      }),
      201,
    );
    expect(made).toMatchObject({
      created: true,
      gameMode: 'ctf',
      modifiers: ['instagib', 'low-gravity'],
      version: 1,
      generation: 1,
      rules: { model: 'glicko2', parameters: { tau: 0.7 }, aggregation: 'learned' },
      calibration: { scale: { mean: 1 }, matches: 0 },
    });
    const again = jsonOf<PoolView>(await asOperator('/v1/pools', { name: 'insta', model: 'elo' }), 201);
    expect(again).toMatchObject({ created: false, rules: { model: 'glicko2' } });
    const changed = await stack.operator.changePool('insta', { staleAfterDays: 7 });
    expect(changed).toMatchObject({ version: 2, rules: { staleAfterDays: 7, model: 'glicko2' } });
    expect((await stack.operator.pool('insta')).version).toBe(2);
  });

  it.each([
    ['an unknown model', { model: 'luck' }, /no rating model "luck"; there is openskill-/],
    ['an unknown parameter', { parameters: { gamma: 1 } }, /no parameter "gamma"; there is/],
    ['a parameter out of range', { parameters: { beta: -1 } }, /"beta" is -1; it must be a number from/],
    [
      'a parameter of another kind',
      { model: 'elo', parameters: { kRule: 'mine' } },
      /must be one of constant/,
    ],
    [
      'divisions that fall',
      {
        divisions: [
          { name: 'A', from: null },
          { name: 'B', from: 3 },
          { name: 'C', from: 1 },
        ],
      },
      /C begins at 1, which is not above 3/,
    ],
  ])('are rejected with %s', async (_what, rules, reason) => {
    const answer = problemOf(await asOperator('/v1/pools', { name: 'broken', ...rules }));
    expect(answer).toMatchObject({ status: 422, code: 'pool-invalid' });
    expect(answer.detail).toMatch(reason);
    expect(problemOf(await asOperator('/v1/pools/broken'))).toMatchObject({ status: 404 });
  });

  it('name the way to another model', async () => {
    const answer = problemOf(await asOperator('/v1/pools/insta/rules', { model: 'elo' }));
    expect(answer).toMatchObject({ status: 422, code: 'pool-invalid' });
    expect(answer.detail).toContain('POST /v1/pools/insta/rebuilds');
  });

  it('refuse a match that their model cannot rate, and store nothing of it', async () => {
    await stack.operator.createPool({ name: 'arena', model: 'synelo' });
    const answer = problemOf(await report('arena', [['x1'], ['x2'], ['x3']], [1, 2, 3]));
    expect(answer).toMatchObject({ status: 422, code: 'match-unratable' });
    expect(answer.detail).toMatch(/SynElo/);
    expect(await allOf('arena')).toEqual([]);
  });
});

describe('a rating set by an operator', () => {
  it('is recorded with actor and reason, and counts once per event', async () => {
    const eventId = 'ticket-4711';
    const given = { mu: 30, sigma: 2, reason: 'Won the league elsewhere.', eventId };
    expect(await stack.operator.setRating('ladder', 'dan', given)).toMatchObject({
      mu: 30,
      sigma: 2,
      matches: 0,
    });
    await stack.operator.setRating('ladder', 'dan', given);
    await report('ladder', [['dan'], ['eve']], [2, 1]);
    await stack.operator.resetRating('ladder', 'dan', { reason: 'Sold the account.' });
    expect(await ratingOf('ladder', 'dan')).toMatchObject({ mu: 25, matches: 0, lastRatedAt: null });

    const { changes } = await stack.operator.ratingHistory('ladder', 'dan');
    expect(changes.map(({ kind, by, reason }) => [kind, by, reason])).toEqual([
      ['reset', 'operator', 'Sold the account.'],
      ['match', null, null],
      ['set', 'operator', 'Won the league elsewhere.'],
    ]);
    expect(changes[2]).toMatchObject({ eventId, after: { mu: 30, sigma: 2 } });
  });

  it('must be representable by the model', async () => {
    const answer = problemOf(await asOperator('/v1/ratings/ladder/fay', { mu: 30, sigma: -1, reason: 'x' }));
    expect(answer).toMatchObject({ status: 400 });
    const unknown = problemOf(await asOperator('/v1/ratings/nowhere/fay', { mu: 30, reason: 'x' }));
    expect(unknown).toMatchObject({ status: 404, code: 'pool-not-found' });
  });
});

describe('a pool rated by performance', () => {
  it('takes what players did from a report, and refuses one that lacks it', async () => {
    const pool = 'performance';
    await stack.operator.createPool({ name: pool, model: 'performance-weight' });
    const facts = {
      kai: { kills: 20, deaths: 5, assists: 8, power: 900 },
      lea: { kills: 4, deaths: 8, power: 200 },
    };
    expect((await report(pool, [['kai'], ['lea']], [2, 1], { facts })).status).toBe(201);
    expect((await ratingOf(pool, 'kai')).mu).toBeCloseTo(4.4 * 4.4 * 8.1, 9);
    expect((await ratingOf(pool, 'lea')).mu).toBeCloseTo(0.5 * 0.5 * 0.4, 9);
    const lacking = { facts: { ...facts, lea: { kills: 4 } } };
    const refused = problemOf(await report(pool, [['kai'], ['lea']], [2, 1], lacking));
    expect(refused).toMatchObject({ status: 422, code: 'match-unratable' });
    expect(refused.detail).toContain('deaths and power points');
  });
});

describe('a pool with a policy of inactivity', () => {
  const pool = 'idle';
  const divisions = [
    { name: 'Wood', from: null },
    { name: 'Iron', from: 26 },
  ];
  const inactivity = { afterDays: 30, forgottenAfterDays: 3_650, decay: { division: 'Iron', perDay: 0.01 } };

  it('shows what time made of a rating, everywhere the same, and in its history', async () => {
    await stack.operator.createPool({ name: pool, divisions });
    const dayMs = 86_400_000;
    const lastAt = Date.now() - 100 * dayMs;
    await report(pool, [['ida'], ['jon']], [1, 2], { playedAt: lastAt });
    const before = await ratingOf(pool, 'ida');
    expect(before).toMatchObject({ inactiveFrom: null });

    await stack.operator.changePool(pool, { inactivity });
    const idle = await ratingOf(pool, 'ida');
    expect(idle.inactiveFrom).toBe(lastAt + 30 * dayMs);
    expect(idle.sigma).toBeCloseTo(Math.hypot(before.sigma, (25 / 3) * Math.sqrt(70 / 3_650)), 3);
    expect(idle.mu).toBe(26);
    expect((await mine(pool, 'ida')).view).toMatchObject({ inactiveFrom: idle.inactiveFrom, stale: true });

    await report(pool, [['ida'], ['jon']], [2, 1], { playedAt: Date.now() });
    const { changes } = await stack.operator.ratingHistory(pool, 'ida');
    expect(changes.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['match', null],
      ['decay', '100 days without a match.'],
      ['match', null],
    ]);
    expect(changes[1]).toMatchObject({ before: { mu: before.mu }, after: { mu: 26 } });

    const live = await allOf(pool);
    await stack.operator.rebuildPool(pool, { reason: 'A test.' });
    expect(await rebuilt(pool)).toMatchObject({ state: 'done' });
    expect(await allOf(pool)).toEqual(live);
  });

  it('must fit the model and the divisions', async () => {
    const change = (name: string, policy: object) =>
      asOperator(`/v1/pools/${name}/rules`, { inactivity: policy });
    const from = problemOf(await change(pool, { afterDays: 1, decay: { division: 'Tin', perDay: 1 } }));
    expect(from).toMatchObject({
      status: 422,
      detail: expect.stringContaining('possible are Iron') as string,
    });
    await stack.operator.createPool({ name: 'idle-elo', model: 'elo' });
    const forget = problemOf(await change('idle-elo', { afterDays: 1, forgottenAfterDays: 90 }));
    expect(forget.detail).toContain('leave forgottenAfterDays out');
    expect(problemOf(await change(pool, { afterDays: -1 }))).toMatchObject({ status: 400 });
  });
});

describe('a pool with a history', () => {
  const players = Array.from({ length: 24 }, (_, i) => `h${i}`);
  /** The stronger side wins more often, and home still more often: a history to learn from. */
  const outcome = (i: number): number[] => {
    const strong = (i * 7) % 24 < 12;
    return i % 5 === 0 ? [2, 1] : strong || i % 3 > 0 ? [1, 2] : [2, 1];
  };
  const play = (pool: string, i: number): Promise<Answer> => {
    const at = (offset: number): string => players[(i * 5 + offset * 7) % players.length] ?? '';
    const ids = [...new Set([0, 1, 2, 3].map(at))];
    const [a = 'h0', b = 'h1', c = 'h2', d = 'h3'] = ids;
    return report(
      pool,
      [
        [a, b],
        [c, d],
      ],
      outcome(i),
      { sides: ['home', 'away'], venue: i % 2 ? 'north' : 'south' },
    );
  };

  beforeAll(async () => {
    await stack.operator.createPool({ name: 'season' });
    for (let i = 0; i < 160; i += 8)
      await Promise.all(Array.from({ length: 8 }, (_, k) => play('season', i + k)));
  });

  it('learns and shows its calibration', async () => {
    for (let tries = 0; ; tries++) {
      const { calibration, version } = await stack.operator.pool('season');
      if (calibration.matches > 0) {
        expect(version).toBeGreaterThan(1);
        expect(Object.keys(calibration.offsets)).toContain('side:home');
        break;
      }
      expect(tries).toBeLessThan(100);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const home = await stack.operator.predict('season', { teams: [['h0'], ['h1']], sides: ['home', 'away'] });
    const away = await stack.operator.predict('season', { teams: [['h0'], ['h1']], sides: ['away', 'home'] });
    expect(home.chances[0]).toBeGreaterThan(away.chances[0] ?? 1);
    expect((home.chances[0] ?? 0) + (home.chances[1] ?? 0)).toBeCloseTo(1, 12);
  });

  it('shows its health, in figures and plots', async () => {
    const health = jsonOf<PoolHealth>(await asOperator('/v1/pools/season/health?periods=4'));
    expect(health.overall.calibrated.matches).toBe(160);
    expect(health.periods).toHaveLength(4);
    expect(health.players).toBe(24);
    expect(health.deciles.reduce((sum, { count }) => sum + count, 0)).toBe(160);
    for (const plot of ['time', 'calibration']) {
      const { headers, text } = await asOperator(`/v1/pools/season/health.svg?plot=${plot}`);
      expect(headers['content-type']).toContain('image/svg+xml');
      expect(text).toMatch(/^<svg .*season/s);
      expect(text).not.toMatch(/NaN|undefined/);
    }
  });

  it('is rebuilt bit for bit', async () => {
    const before = await allOf('season');
    const { generation } = await stack.operator.pool('season');
    expect(await stack.operator.rebuildPool('season', {})).toMatchObject({ state: 'running' });
    expect(await rebuilt('season')).toMatchObject({ state: 'done', done: 160, skipped: 0 });
    expect((await stack.operator.pool('season')).generation).toBeGreaterThan(generation);
    expect(await allOf('season')).toEqual(before);
  });

  it('is rebuilt under another model while results arrive, and equals a rebuild without load', async () => {
    const started = await stack.operator.rebuildPool('season', { model: 'glicko2', reason: 'A try.' });
    expect(started).toMatchObject({ model: 'glicko2', reason: 'A try.' });
    for (let i = 160; i < 240; i += 8)
      await Promise.all(Array.from({ length: 8 }, (_, k) => play('season', i + k)));
    expect(await rebuilt('season')).toMatchObject({ state: 'done', skipped: 0 });
    expect((await stack.operator.pool('season')).rules.model).toBe('glicko2');
    const after = await allOf('season');
    expect(after.map(({ matches: played }) => played).reduce((a, b) => a + b, 0)).toBe(240 * 4);

    await stack.operator.rebuildPool('season', {});
    await rebuilt('season');
    expect(await allOf('season')).toEqual(after);
  });

  it('excludes a match that is declared void', async () => {
    await stack.operator.createPool({ name: 'cup', circumstances: [] });
    await stack.operator.createPool({ name: 'cup-without', circumstances: [] });
    const games: [string, string][] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['b', 'a'],
    ];
    let voided = '';
    for (const [i, [winner, loser]] of games.entries()) {
      const answer = jsonOf<{ matchId: string }>(await report('cup', [[winner], [loser]], [1, 2]), 201);
      if (i === 1) voided = answer.matchId;
      else await report('cup-without', [[winner], [loser]], [1, 2]);
    }
    expect(await stack.operator.voidMatch(voided, 'Played by bots.')).toMatchObject({ voided: true });
    expect(await rebuilt('cup')).toMatchObject({ state: 'done', skipped: 0 });
    expect(await allOf('cup')).toEqual(await allOf('cup-without'));
    expect(await stack.operator.match(voided)).toMatchObject({
      state: 'void',
      closeReason: expect.stringMatching(/bots/),
    });
    expect(await stack.operator.voidMatch(voided, 'Again.')).toMatchObject({ voided: false });
  });
});

/** Adds a history to a pool by SQL; by HTTP it would take as long as the rest of this file. */
async function fill(pool: string, count: number): Promise<void> {
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  await db.$executeRaw`
    INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
    SELECT nextval('ledger_sequence'), ${pool}, 'match', 'mat_big' || i, now(), jsonb_build_object(
      'teams', jsonb_build_array(
        (SELECT jsonb_agg('b' || (i * 7 + k * 13) % 500) FROM generate_series(0, 4) AS k),
        (SELECT jsonb_agg('b' || (i * 7 + k * 13) % 500) FROM generate_series(5, 9) AS k)),
      'ranks', CASE WHEN i % 3 = 0 THEN jsonb_build_array(2, 1) ELSE jsonb_build_array(1, 2) END)
    FROM generate_series(1, ${count}::int) AS i`;
  await db.$disconnect();
}

/** Waits until the rating service answers again: the launcher restarts it. */
async function upAgain(): Promise<void> {
  for (;;) {
    if ((await asOperator('/v1/pools')).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a rebuild whose process is killed', () => {
  it('leaves the old ratings in force, and is done by the next process', async () => {
    await stack.operator.createPool({ name: 'big' });
    for (let i = 0; i < 5; i++) await report('big', [['b1'], ['b2']], [1, 2]);
    await fill('big', 4_000);
    const before = await allOf('big');
    await stack.operator.rebuildPool('big', { model: 'elo' });
    for (;;) {
      const [rebuild] = (await stack.operator.rebuilds('big')).rebuilds;
      expect(rebuild?.state).toBe('running');
      if ((rebuild?.done ?? 0) > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const pids = await stack.pids();
    const [pid = 0] = Object.entries(pids).flatMap(([name, id]) => (name.startsWith('rating') ? [id] : []));
    process.kill(pid, 'SIGKILL');
    await upAgain();
    expect(await stack.operator.pool('big')).toMatchObject({
      generation: 1,
      rules: { model: 'openskill-plackett-luce' },
    });
    expect(await allOf('big')).toEqual(before);

    expect(await rebuilt('big')).toMatchObject({ state: 'done', done: 4_005 });
    expect(await stack.operator.pool('big')).toMatchObject({ rules: { model: 'elo' } });
    await stack.operator.rebuildPool('big', {});
    const after = await allOf('big');
    await rebuilt('big');
    expect(await allOf('big')).toEqual(after);
  });
});
