import { RoundsClient, type Round, type ToldRound } from '@muster/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { ask, jsonOf, problemOf } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

// A community server without a queue: it reports its rounds, and scrambles by prepared splits.

const pool = 'arena-rounds';
const shadow = 3;

let stack: Stack;
let proxy: CuttableProxy;

beforeAll(async () => {
  stack = await sharedStack();
  await stack.operator.createPool({ name: pool, model: 'synelo', shadowMatches: shadow });
  proxy = await CuttableProxy.start(stack.url);
});
afterAll(() => proxy?.stop());

function client(name: string): { rounds: RoundsClient; dropped: [ToldRound, string][]; trouble: unknown[] } {
  const dropped: [ToldRound, string][] = [];
  const trouble: unknown[] = [];
  const rounds = new RoundsClient(
    { url: proxy.url, serverKey: stack.run.serverKey, pool, server: name, timeoutMs: 20_000 },
    {
      dropped: (round, why) => void dropped.push([round, why]),
      trouble: (error) => void trouble.push(error),
    },
  );
  return { rounds, dropped, trouble };
}

const duelOf = (name: string, n: number, winner: 0 | 1 | null = 0): Round => ({
  roundId: `${name}-${n}`,
  map: 'arena_well',
  teams: [[`${name}-a`], [`${name}-b`]],
  winner,
});

async function admin(body: object, key = stack.run.serverKey): Promise<Awaited<ReturnType<typeof ask>>> {
  return ask(stack.url, '/v1/rounds/admin', { token: key, body: { pool, ...body } });
}

describe('rounds of a community server', () => {
  it('rate players from the first on, and show it after their first rounds', async () => {
    const { rounds } = client('seen');
    expect(await rounds.players(['seen-a', 'seen-b'])).toEqual(
      ['seen-a', 'seen-b'].map((playerId) => ({
        playerId,
        rating: 1000,
        visible: false,
        rounds: 0,
        stale: false,
      })),
    );
    const seen: [number, boolean][] = [];
    for (let n = 1; n <= shadow; n++) {
      const { updated, waiting } = await rounds.roundEnded(duelOf('seen', n));
      expect(waiting).toBe(0);
      expect(updated?.counted).toBe(true);
      const [winner, loser] = updated?.players ?? [];
      expect(winner?.rating).toBeGreaterThan(1000);
      expect(loser?.rating).toBeLessThan(1000);
      if (winner) seen.push([winner.rounds, winner.visible]);
    }
    expect(seen).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    const drawn = await rounds.roundEnded(duelOf('seen', 9, null));
    expect(drawn.updated?.counted).toBe(true);
  });

  it('rate late joiners against the expectation of the starting players', async () => {
    const name = 'arena-late';
    await stack.operator.createPool({ name, model: 'synelo', parameters: { kMax: 2 }, aggregation: 'sum' });
    const rounds = new RoundsClient({ url: stack.url, serverKey: stack.run.serverKey, pool: name });
    const teams = [
      ['late-a', 'late-b'],
      ['late-c', 'late-d'],
    ];
    const told = await rounds.roundEnded({ teams, winner: 0, late: ['late-b'], parties: [[2], []] });
    // One new player against two: 1000 points behind at Θ = 400 is a chance of 0.076.
    expect(told.updated?.prediction[0]).toBeLessThan(0.1);
    expect(told.updated?.players.map(({ rating }) => rating)).toEqual([1067, 1067, 933, 933]);
  });

  it('count once, and another result of the same round is refused', async () => {
    const { rounds, dropped } = client('once');
    const first = await rounds.roundEnded(duelOf('once', 1));
    const again = await rounds.roundEnded(duelOf('once', 1));
    expect(again.updated).toMatchObject({ counted: false, players: first.updated?.players });

    const other = await rounds.roundEnded(duelOf('once', 1, 1));
    expect(other).toEqual({ updated: null, waiting: 0 });
    expect(dropped.map(([{ roundId }, why]) => [roundId, /already counted/.test(why)])).toEqual([
      ['once-1', true],
    ]);
  });

  it('are administered with one call: read with the server key, set by operators only', async () => {
    const rated = await admin({
      action: 'set',
      playerId: 'kept',
      rating: 1500,
      reason: 'came from another pool',
    });
    expect(problemOf(rated)).toMatchObject({ status: 403, detail: expect.stringContaining('operator key') });
    const set = { action: 'set', playerId: 'kept', rating: 1500, reason: 'came from another pool' };
    expect(jsonOf(await admin(set, stack.run.operatorKey))).toMatchObject({
      players: [{ playerId: 'kept', rating: 1500 }],
    });
    expect(jsonOf(await admin({ action: 'get', playerIds: ['kept', 'new'] }))).toMatchObject({
      players: [
        { playerId: 'kept', rating: 1500 },
        { playerId: 'new', rating: 1000, rounds: 0 },
      ],
    });
    const reset = { action: 'reset', playerId: 'kept', reason: 'by mistake' };
    expect(jsonOf(await admin(reset, stack.run.operatorKey))).toMatchObject({
      players: [{ playerId: 'kept', rating: 1000 }],
    });
    expect(jsonOf(await admin({ action: 'quality' }))).toMatchObject({ quality: { pool, overall: {} } });
  });

  it('are scrambled by the best teams of the present players', async () => {
    const { rounds } = client('mixed');
    const levels = { ann: 1600, ben: 1500, cat: 1400, dan: 1300, eve: 1200, fay: 1100, gus: 1000 };
    for (const [playerId, rating] of Object.entries(levels))
      await admin({ action: 'set', playerId, rating, reason: 'known' }, stack.run.operatorKey);
    const all = Object.keys(levels);
    expect(await rounds.prepare(all.map((playerId) => ({ playerId })))).toBe(true);

    const teams = await rounds.scramble(all);
    const sum = (ids: readonly string[]): number =>
      ids.reduce((total, id) => total + (levels[id as keyof typeof levels] ?? NaN), 0);
    expect(teams?.teams.map((team) => team.length)).toEqual([3, 3]);
    expect(teams?.bench).toHaveLength(1);
    expect(Math.abs(sum(teams?.teams[0] ?? []) - sum(teams?.teams[1] ?? []))).toBe(0);
    expect(teams).toMatchObject({ difference: 0, stale: false });

    // A newcomer waits for the next round.
    const crowd = await rounds.scramble([...all, 'new']);
    expect(crowd).toMatchObject({ teams: teams?.teams, stale: true });
    expect(crowd?.bench).toContain('new');

    // A player of the split has left: the largest split without them, or new ones.
    const gone = teams?.teams[0][0] ?? '';
    const left = all.filter((id) => id !== gone);
    const next = await rounds.scramble(left);
    expect(next?.teams.flat()).not.toContain(gone);
    expect([...(next?.teams.flat() ?? []), ...(next?.bench ?? [])].toSorted()).toEqual(left.toSorted());
  });
});

describe('while the coordinator is unavailable', () => {
  it('eight rounds are buffered and sent oldest first before the next; dropped ones are reported', async () => {
    const { rounds, dropped, trouble } = client('away');
    await rounds.roundEnded(duelOf('away', 0));
    proxy.shut();
    const told = [];
    for (let n = 1; n <= 10; n++) told.push(await rounds.roundEnded(duelOf('away', n)));
    expect(told.map(({ waiting }) => waiting)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8]);
    expect(told.every(({ updated }) => updated === null)).toBe(true);
    expect(trouble).toHaveLength(10);
    expect(dropped.map(([{ roundId }]) => roundId)).toEqual(['away-1', 'away-2']);
    expect(dropped[0]?.[1]).toMatch(/8 newer rounds/);

    proxy.reopen();
    const last = await rounds.roundEnded(duelOf('away', 11));
    // The buffer was full, and all of it was sent before the new one.
    expect(last).toMatchObject({ waiting: 0, updated: { counted: true } });
    const { changes } = await stack.operator.ratingHistory(pool, 'away-a');
    expect(last.updated?.players[0]?.rounds).toBe(10);
    expect(changes).toHaveLength(10);
    const order = changes.toReversed().map(({ eventId }) => eventId);
    const ids = await Promise.all([0, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => matchIdOf(`away-${n}`)));
    expect(order).toEqual(ids);
  });

  it('a scramble uses the last splits, and stays pending without any', async () => {
    const [prepared, blank] = [client('cached'), client('blank')];
    const players = ['w1', 'w2', 'w3', 'w4'].map((id) => `away-${id}`);
    await prepared.rounds.prepare(players.map((playerId) => ({ playerId })));
    proxy.shut();
    expect(await prepared.rounds.prepare(players.map((playerId) => ({ playerId })))).toBe(false);
    expect(await prepared.rounds.scramble(players)).toMatchObject({ teams: [{ length: 2 }, { length: 2 }] });
    expect(prepared.rounds.scramblePending).toBe(false);

    expect(await blank.rounds.scramble(players)).toBeNull();
    expect(blank.rounds.scramblePending).toBe(true);
    proxy.reopen();
    expect(await blank.rounds.scramble(players)).toMatchObject({ teams: [{ length: 2 }, { length: 2 }] });
    expect(blank.rounds.scramblePending).toBe(false);
  });
});

/** The match id of a round: a repeat returns it and counts nothing. */
async function matchIdOf(roundId: string): Promise<string> {
  const [name = '', n = ''] = roundId.split('-');
  const body = { pool, ...duelOf(name, Number(n)) };
  const answer = await ask(stack.url, '/v1/rounds/update', { token: stack.run.serverKey, body });
  const { matchId, counted } = jsonOf<{ matchId: string; counted: boolean }>(answer);
  expect(counted).toBe(false);
  return matchId;
}
