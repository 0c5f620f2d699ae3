import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steppingClock } from '../test-support/generators.js';
import { faultsOf, poolFaultsOf, rebalanceFaultsOf } from '../test-support/sound.js';
import type {
  BenchPolicy,
  Objective,
  PoolProblem,
  RebalanceProblem,
  RoleBounds,
  SecondGoal,
  SplitOptions,
  SplitPlayer,
  SplitProblem,
  SplitRefusal,
} from './problem/problem.js';
import { rebalance } from './rebalance.js';
import { split } from './split.js';
import { splits } from './splits.js';

const extreme = fc.constantFrom(
  0,
  -0,
  -1,
  0.5,
  1,
  2,
  3,
  1e9,
  1e300,
  -1e300,
  1.7e308,
  5e-324,
  2 ** 53,
  NaN,
  Infinity,
  -Infinity,
);
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '', '__proto__', 'constructor');
const role = fc.constantFrom('tank', 'healer', '__proto__', 'toString');
/** `usual`, and occasionally an invalid value. */
const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
const maybe = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: usual });

const weight = mostly(fc.integer({ min: -20, max: 40 }), extreme);
const count = mostly(fc.integer({ min: 1, max: 4 }), extreme);
/** Mostly distinct ids, otherwise nearly every problem would fail by them. */
const ids = mostly(
  fc.integer({ min: 0, max: 8 }).map((length) => Array.from({ length }, (_, i) => 'abcdefgh'[i] ?? '')),
  fc.array(id, { maxLength: 6 }),
  6,
);

const playersOf = (names: readonly string[]): fc.Arbitrary<SplitPlayer[]> =>
  fc
    .array(
      fc.record(
        {
          weight,
          party: fc.constantFrom('x', 'y', ''),
          canPlay: fc.array(role, { maxLength: 3 }),
        },
        { requiredKeys: ['weight'] },
      ),
      { minLength: names.length, maxLength: names.length },
    )
    .map((all) => all.map((player, i) => ({ ...player, id: names[i] ?? '' })));

const bounds: fc.Arbitrary<RoleBounds> = fc.record(
  { min: mostly(fc.nat({ max: 2 }), extreme), max: mostly(fc.nat({ max: 3 }), extreme) },
  { requiredKeys: [] },
);

const objective: fc.Arbitrary<Objective> = fc.oneof(
  fc.constantFrom<Objective>({ kind: 'sum' }, { kind: 'mean' }),
  fc
    .tuple(mostly(fc.constant(4), extreme), fc.dictionary(id, mostly(fc.constant(8), extreme)))
    .map(([beta, sigmas]): Objective => ({ kind: 'win', beta, sigmas })),
);

const problems: fc.Arbitrary<SplitProblem> = ids.chain((names) => {
  const half = Math.floor(names.length / 2);
  const known = names.length > 0 ? mostly(fc.constantFrom(...names), id) : id;
  return fc.record(
    {
      players: playersOf(names),
      teamSizes: mostly(
        fc.constantFrom<number[][]>(
          [half, names.length - half],
          [1, names.length - 1],
          [2, 2, names.length - 4],
        ),
        fc.array(count, { maxLength: 5 }),
        6,
      ),
      roles: maybe(fc.dictionary(role, bounds, { maxKeys: 3 })),
      avoid: maybe(fc.array(fc.tuple(known, known), { maxLength: 3 })),
      bots: maybe(
        fc.record({
          weight,
          fillTo: mostly(fc.nat({ max: 16 }), extreme),
          maxSizeDifference: mostly(fc.nat({ max: 3 }), extreme),
        }),
      ),
      objective: maybe(objective),
      current: maybe(fc.array(fc.array(known, { maxLength: 4 }), { maxLength: 3 })),
      second: maybe(
        fc.record({
          goals: fc.array(fc.constantFrom<SecondGoal>('spread', 'parties', 'roles'), { maxLength: 4 }),
          slack: mostly(fc.constantFrom(0, 5), extreme),
        }),
      ),
    },
    { requiredKeys: ['players', 'teamSizes'] },
  );
});

const options: fc.Arbitrary<SplitOptions> = fc.record(
  {
    best: maybe(mostly(fc.integer({ min: 1, max: 100 }), extreme)),
    seed: maybe(mostly(fc.integer(), extreme)),
    power: maybe(mostly(fc.constantFrom(0, 1, 3), extreme)),
    memoryBytes: maybe(extreme),
    deadline: maybe(extreme).map((at) => (at === undefined ? undefined : { now: steppingClock(), at })),
  },
  { requiredKeys: [] },
);

const pools: fc.Arbitrary<PoolProblem> = ids.chain((names) =>
  fc.record({
    players: playersOf(names).chain((players) =>
      fc.array(maybe(extreme), { minLength: names.length, maxLength: names.length }).map((waits) =>
        players.map((player, i) => {
          const waited = waits[i];
          return { id: player.id, weight: player.weight, ...(waited === undefined ? {} : { waited }) };
        }),
      ),
    ),
    bench: fc.constantFrom<BenchPolicy>('anyone', 'top-plays', 'longest-waiting'),
  }),
);

const disturbances: fc.Arbitrary<RebalanceProblem> = ids.chain((names) => {
  const half = Math.floor(names.length / 2);
  const some = fc.array(id, { maxLength: 4 });
  return fc.record({
    players: playersOf(names).map((players) =>
      players.map((player) => ({ id: player.id, weight: player.weight })),
    ),
    current: mostly<readonly [string[], string[]]>(
      fc.constantFrom([names.slice(0, half), names.slice(half)], [names.slice(0, 2), names.slice(2, 5)]),
      fc.tuple(some, some),
      3,
    ),
    tolerance: mostly(fc.constantFrom(0, 2, 10), extreme),
  });
});

/** What is wrong with a refusal. */
function wordless({ why, message, path }: SplitRefusal): string[] {
  if (!['malformed', 'infeasible', 'too-large'].includes(why)) return [`why is ${why}`];
  if (why === 'malformed' && !path) return ['malformed, but not where'];
  return message.trim() === '' ? ['no message'] : [];
}

describe('any input', { timeout: 60_000 }, () => {
  it('split answers soundly or reports what is wrong', () => {
    fc.assert(
      fc.property(problems, options, (problem, limits) => {
        const answer = split(problem, limits);
        const faults = answer.outcome === 'refused' ? wordless(answer) : faultsOf(problem, answer, limits);

        expect(faults).toEqual([]);
      }),
      { numRuns: 1_200 },
    );
  });

  it('splits answers soundly or reports what is wrong', () => {
    fc.assert(
      fc.property(pools, options, (problem, limits) => {
        const answer = splits(problem, limits);
        const faults = answer.outcome === 'refused' ? wordless(answer) : poolFaultsOf(problem, answer);

        expect(faults).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });

  it('rebalance answers soundly or reports what is wrong', () => {
    fc.assert(
      fc.property(disturbances, options, (problem, limits) => {
        const answer = rebalance(problem, limits);
        const faults = answer.outcome === 'refused' ? wordless(answer) : rebalanceFaultsOf(problem, answer);

        expect(faults).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });
});

describe('a refusal', { timeout: 60_000 }, () => {
  const four = [5, 4, 3, 2].map((strength, i) => ({ id: `p${i}`, weight: strength }));
  const plain: SplitProblem = { players: four, teamSizes: [2, 2] };
  const withWeight = (strength: number): SplitProblem => ({
    ...plain,
    players: four.map((player, i) => (i === 3 ? { ...player, weight: strength } : player)),
  });

  it.each<[string, SplitProblem, string]>([
    ['a weight that is no number', withWeight(NaN), 'players[3].weight'],
    ['an infinite weight', withWeight(Infinity), 'players[3].weight'],
    ['a player twice', { ...plain, players: four.map((player) => ({ ...player, id: 'p0' })) }, 'players'],
    ['sizes that do not add up', { ...plain, teamSizes: [2, 3] }, 'teamSizes'],
    ['a size of a half', { ...plain, teamSizes: [2.5, 1.5] }, 'teamSizes'],
    ['a negative size', { ...plain, teamSizes: [5, -1] }, 'teamSizes'],
    ['one team', { ...plain, teamSizes: [4] }, 'teamSizes'],
    ['nobody', { players: [], teamSizes: [0, 0] }, 'teamSizes'],
    ['an unknown player to avoid', { ...plain, avoid: [['p0', 'nobody']] }, 'avoid'],
    ['a player to avoid themself', { ...plain, avoid: [['p0', 'p0']] }, 'avoid'],
    ['a minimum of a role above its maximum', { ...plain, roles: { tank: { min: 2, max: 1 } } }, 'roles'],
    [
      'a bot without a valid weight',
      { ...plain, bots: { weight: NaN, fillTo: 8, maxSizeDifference: 0 } },
      'bots',
    ],
    ['a million bots', { ...plain, bots: { weight: 1, fillTo: 1e9, maxSizeDifference: 0 } }, 'bots'],
    ['an unknown player on a current team', { ...plain, current: [['p0', 'nobody'], ['p1']] }, 'current'],
    ['a player on both current teams', { ...plain, current: [['p0'], ['p0']] }, 'current'],
  ])('names %s', (_, problem, path) => {
    expect(split(problem)).toMatchObject({
      outcome: 'refused',
      why: 'malformed',
      path: expect.stringContaining(path) as unknown,
    });
  });

  it.each<[string, SplitOptions, string]>([
    ['no best splits', { best: 0 }, 'best'],
    ['a negative number of best splits', { best: -1 }, 'best'],
    ['a billion best splits', { best: 1e9 }, 'best'],
    ['an invalid seed', { seed: NaN }, 'seed'],
  ])('names %s', (_, limits, path) => {
    const refusal = { outcome: 'refused', why: 'malformed', path };

    expect(split(plain, limits)).toMatchObject(refusal);
    expect(splits({ players: four, bench: 'anyone' }, limits)).toMatchObject(refusal);
  });

  it('names the smallest party to break up', () => {
    const players = [...four, ...four.map(({ weight: strength }, i) => ({ id: `q${i}`, weight: strength }))];
    const inParties = players.map((player, i): SplitPlayer => ({ ...player, party: i < 3 ? 'x' : 'y' }));

    expect(split({ players: inParties, teamSizes: [4, 4] })).toMatchObject({
      why: 'infeasible',
      relax: [{ kind: 'party', party: 'y', size: 5 }],
    });
  });
});
