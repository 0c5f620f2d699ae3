import { BalanceChecked, type Roster } from '@muster/contracts';
import { policyNames, type MatchAspects } from '@muster/domain';
import { policies } from '@muster/live-balance';
import { describe, expect, it } from 'vitest';
import { LiveBalance, policyOf } from './live-balance.js';
import { SolveTeams, type CacheRequest } from '../teams/solve-teams.js';

const noon = 1_700_000_000_000;
const clock = { now: () => noon };
const asked: [string, readonly string[], MatchAspects?][] = [];
/** The teams that pools were asked about: their chances follow sizes alone. */
const foreseen: (readonly string[])[][] = [];
const pools = {
  foresee: (pool: string, question: readonly { readonly playerIds: readonly string[] }[]) => {
    foreseen.push(question.map(({ playerIds }) => playerIds));
    const [first = 1, second = 1] = question.map(({ playerIds }) => playerIds.length ** 5);
    const chance = first / (first + second);
    return Promise.resolve({ chances: [chance, 1 - chance], isShortHanded: pool === 'short-handed' });
  },
  read: (pool: string, playerIds: readonly string[], aspects?: MatchAspects) => {
    asked.push(aspects ? [pool, playerIds, aspects] : [pool, playerIds]);
    // Everybody is 2 better on the map, and 8 better on the first side.
    const worth = aspects && {
      map: 2,
      sides: aspects.sides.map((_, side) => (side === 0 ? 8 : 0)),
      roles: [],
    };
    return Promise.resolve(
      playerIds.map((playerId, i) => ({ playerId, mu: 20 + i, sigma: 1, matches: 3, worth })),
    );
  },
};
const solve = new SolveTeams({ now: () => 0 });
const teams = {
  cache: (body: CacheRequest) => Promise.resolve(solve.cache(body)),
};
const balance = new LiveBalance(pools, teams, clock);

const roster = (over: Partial<Roster> = {}): Roster => ({
  teams: 2,
  players: ['a', 'b', 'c', 'd', 'e'].map((playerId, i) => ({
    playerId,
    team: i < 4 ? 0 : 1,
    rating: 10 + i,
  })),
  ...over,
});

describe('policies', () => {
  it('are those of the library, by the same names', () => {
    expect([...policyNames].toSorted()).toEqual(Object.keys(policies).toSorted());
  });

  it('may be derived from a built-in one', () => {
    expect(policyOf('synelo')).toBe(policies['synelo']);
    expect(policyOf({ like: 'synelo', withinMs: 500 })).toEqual({
      ...policies['synelo'],
      name: 'like synelo',
      withinMs: 500,
    });
    expect(policyOf({ withinMs: 500 })).toMatchObject({ rules: [], withinMs: 500 });
  });
});

describe('a newcomer to teams of three weak and two strong players', () => {
  const players = ['w0', 'w1', 'w2', 'new', 's0', 's1'].flatMap((playerId) =>
    playerId === 'new' ? [] : [{ playerId, team: playerId.startsWith('w') ? 0 : 1 }],
  );
  // By the sums of ratings, 20 to 24 in the order of the players, three against two and the newcomer are even.
  const place = (pool: string) =>
    balance.place({
      roster: roster({ pool, players }),
      policy: { like: 'none', placement: { bots: null, maxSizeDifference: null } },
      arrives: { playerId: 'new' },
    });

  it('joins the short-handed team by the chances of a pool that knows what fewer players mean', async () => {
    const { team, options, why } = await place('short-handed');

    expect(team).toBe(1);
    expect(options?.map(({ chances }) => chances)).toEqual([
      [expect.closeTo(4 ** 5 / (4 ** 5 + 2 ** 5)), expect.closeTo(2 ** 5 / (4 ** 5 + 2 ** 5))],
      [0.5, 0.5],
    ]);
    expect(why).toMatch(/its chance to win is 50 %, by ratings and by the number of players/);
    expect(foreseen.slice(-1)[0]).toEqual([
      ['w0', 'w1', 'w2'],
      ['s0', 's1', 'new'],
    ]);
  });

  it('joins by ratings alone as before where the pool does not', async () => {
    const { options, why } = await place('ctf');

    expect(options?.some((option) => 'chances' in option)).toBe(false);
    expect(why).not.toMatch(/chance/);
  });
});

describe('a server that sends its roster', () => {
  it('gets its moves, and no new order while that is under way', async () => {
    const first = await balance.check({ roster: roster(), policy: 'synelo', vote: false });
    expect(first).toMatchObject({ outcome: 'moves', directive: { moves: [{ from: 0, to: 1 }] } });
    const again = await balance.check({
      roster: roster(),
      policy: 'synelo',
      vote: false,
      state: BalanceChecked.shape.state.parse(first.state),
    });
    expect(again.outcome).toBe('ordered');
  });

  it('gets missing ratings from the pool, and bots count as other bots do', async () => {
    asked.length = 0;
    const players = [
      { playerId: 'a', team: 0 },
      { playerId: 'b', team: 1, rating: 30 },
      { playerId: 'bot1', team: 0, bot: true, rating: 6 },
      { playerId: 'bot2', team: 1, bot: true },
    ];
    const answer = await balance.handicap({ roster: roster({ pool: 'duel', players }), policy: 'none' });
    expect(asked).toEqual([['duel', ['a']]]);
    // 20 + 6 against 30 + 6.
    expect(answer.factors).toEqual([36 / 26, 1]);
  });

  it('gets ratings by the sides and the map that it names, and given ones as they are', async () => {
    asked.length = 0;
    const players = [
      { playerId: 'a', team: 0 },
      { playerId: 'b', team: 1 },
      { playerId: 'c', team: 1, rating: 5 },
    ];
    const sided = roster({ pool: 'duel', players, sides: ['alien', 'human'], map: { name: 'dust' } });
    const answer = await balance.handicap({ roster: sided, policy: 'none' });
    expect(asked).toEqual([
      ['duel', ['a', 'b'], { teamSize: 2, map: 'dust', sides: ['alien', 'human'], roles: [] }],
    ]);
    // 20 + 2 + 8 against 21 + 2 + 5.
    expect(answer.factors).toEqual([1, 30 / 28]);

    const comes = await balance.place({ roster: sided, policy: 'none', arrives: { playerId: 'z' } });
    expect(comes.options?.map(({ sums }) => sums)).toEqual([
      [30 + 22 + 2 + 8, 28],
      [30, 28 + 22 + 2],
    ]);
    const { cache } = await balance.scramble({
      roster: { ...sided, players: ['a', 'b', 'c', 'd'].map((playerId, i) => ({ playerId, team: i % 2 })) },
      policy: 'synelo',
      mode: 'arena',
      waiting: [],
    });
    // 20 to 23, and four times 4 for the first side: no two teams make up for it.
    expect(cache.splits).toMatchObject([{ size: 2, difference: 16 }]);
  });

  it('gets the team of a newcomer, and the effect of a departure', async () => {
    const comes = await balance.place({
      roster: roster(),
      policy: 'none',
      arrives: { playerId: 'z', rating: 9 },
    });
    expect(comes).toMatchObject({
      team: 1,
      options: [
        { team: 0, allowed: false },
        { team: 1, allowed: true },
      ],
    });
    const goes = await balance.place({ roster: roster(), policy: 'none', leaves: 'a' });
    expect(goes).toMatchObject({ team: 0, after: { sizes: [3, 1] } });
    await expect(
      balance.place({ roster: roster(), policy: 'none', arrives: { playerId: 'a', rating: 9 } }),
    ).rejects.toThrow(/on a team already/);
  });

  it('gets the number of bots, and its teams when a game starts', async () => {
    const rules = { bots: { minPlayers: 8 }, maxSizeDifference: 1 };
    const plan = await balance.bots({
      roster: roster(),
      policy: { like: 'none', placement: rules },
      start: { seed: 1 },
    });
    expect(plan).toMatchObject({ players: 8, bots: 3 });
    expect(plan.start?.teams.flat().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(plan.start?.bots).toEqual(plan.byTeam);
  });

  it('counts players on no team once when a game starts', async () => {
    const players = roster().players.map((player) => ({ ...player, team: null }));
    const plan = await balance.bots({
      roster: roster({ players }),
      policy: { like: 'none', placement: { bots: { minPlayers: 8 }, maxSizeDifference: 1 } },
      start: { seed: 1 },
    });
    expect(plan).toMatchObject({ players: 8, bots: 3, byTeam: plan.start?.bots });
  });

  it('gets splits to cache with every answer, and the trigger when there is one', async () => {
    const players = ['a', 'b', 'c', 'd', 'e'].map((playerId, i) => ({ playerId, team: i % 2, rating: i }));
    const ask = {
      roster: roster({ players }),
      policy: 'synelo' as const,
      mode: 'arena' as const,
      waiting: [],
    };
    const quiet = await balance.scramble(ask);
    expect(quiet).toMatchObject({
      trigger: null,
      cache: { madeAt: noon, splits: [{ size: 2, bench: [expect.any(String)] }] },
    });
    const fired = await balance.scramble({ ...ask, event: { kind: 'waiting-ended' } });
    expect(fired.trigger).toMatchObject({ cause: 'waiting-ended' });
    expect(fired.why).toBe(fired.trigger?.why);
    await expect(balance.scramble({ ...ask, policy: 'none' })).rejects.toThrow(/never scrambles/);
  });
});
