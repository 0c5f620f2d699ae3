import fc from 'fast-check';
import type { RoleBounds, SplitPlayer, SplitProblem } from '../src/problem/problem.js';

const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

/** Lists of weights of one kind each, since each kind exercises other parts of the solver. */
export function weights(
  minLength: number,
  maxLength: number,
  { positive = false, rounded = true } = {},
): fc.Arbitrary<number[]> {
  const list = (weight: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
    fc.array(weight, { minLength, maxLength });
  const double = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
  const kinds = [
    list(fc.integer({ min: positive ? 1 : 0, max: 9 })),
    list(fc.integer({ min: 800, max: 2_400 })),
    list(fc.constantFrom(...primes)),
    fc
      .tuple(fc.constantFrom(1, 7, 0.1, 1_500), list(fc.constant(1)))
      .map(([weight, all]) => all.map(() => weight)),
    list(double(0.1, 50)),
    list(fc.integer({ min: 1, max: 400 }).map((tenths) => tenths / 10)),
    fc
      .tuple(list(fc.integer({ min: 10, max: 30 })), fc.integer({ min: 100, max: 5_000 }))
      .map(([all, outlier]) => all.map((weight, i) => (i === 0 ? outlier : weight))),
  ];
  const signed = [list(fc.integer({ min: -50, max: 50 })), list(double(-3, 3))];
  const mixed = [list(fc.oneof(double(1e-8, 1e-6), double(1, 100), double(1e11, 1e12)))];
  return fc.oneof(...kinds, ...(positive ? [] : signed), ...(rounded ? mixed : []));
}

/** Weights as players. Ids do not sort in the order of the players. */
export function named(list: readonly number[]): SplitPlayer[] {
  return list.map((weight, i) => ({ id: `p${(i * 7) % 101}`, weight }));
}

/** Two sizes: mostly equal halves. */
export function twoSizes(count: number): fc.Arbitrary<number[]> {
  const half = Math.floor(count / 2);
  return fc.oneof<fc.MaybeWeightedArbitrary<number[]>[]>(
    { weight: 3, arbitrary: fc.constant([half, count - half]) },
    { weight: 1, arbitrary: fc.constant([count - half, half]) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: count - 1 }).map((size) => [size, count - size]) },
  );
}

/** Sizes of `teams` teams that add up. */
export function manySizes(count: number, teams: number): fc.Arbitrary<number[]> {
  const even = Array.from({ length: teams }, (_, t) => Math.floor((count + t) / teams));
  // Cuts between consecutive players; the players between two cuts form a team.
  const any = fc
    .uniqueArray(fc.integer({ min: 1, max: count - 1 }), { minLength: teams - 1, maxLength: teams - 1 })
    .map((cuts) => {
      const ends = [0, ...cuts.toSorted((a, b) => a - b), count];
      return ends.slice(1).map((end, i) => end - (ends[i] ?? 0));
    });
  return fc.oneof(fc.constant(even), any);
}

/** Plain problems of two teams. */
export function twoTeamProblems(
  minLength: number,
  maxLength: number,
  options: { positive?: boolean; rounded?: boolean } = {},
): fc.Arbitrary<SplitProblem> {
  return weights(minLength, maxLength, options)
    .map(named)
    .chain((players) => twoSizes(players.length).map((teamSizes) => ({ players, teamSizes })));
}

const roleNames = ['tank', 'healer', 'damage'];

const bounds: fc.Arbitrary<RoleBounds> = fc.oneof(
  fc.integer({ min: 0, max: 2 }).map((min) => ({ min })),
  fc.integer({ min: 0, max: 3 }).map((max) => ({ max })),
  fc.integer({ min: 1, max: 2 }).map((count) => ({ min: count, max: count })),
  fc
    .tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 3 }))
    .map(([min, max]) => ({ min, max })),
);

function withParties(problem: SplitProblem, chance: number): fc.Arbitrary<SplitProblem> {
  const { players } = problem;
  const party = fc.oneof(
    { weight: 10 - chance, arbitrary: fc.constant(undefined) },
    { weight: chance, arbitrary: fc.constantFrom('x', 'y', 'z') },
  );
  return fc.array(party, { minLength: players.length, maxLength: players.length }).map((list) => ({
    ...problem,
    players: players.map((player, i) => (list[i] === undefined ? player : { ...player, party: list[i] })),
  }));
}

function withAvoid(problem: SplitProblem): fc.Arbitrary<SplitProblem> {
  const index = fc.nat({ max: problem.players.length - 1 });
  return fc
    .uniqueArray(
      fc.tuple(index, index).filter(([a, b]) => a !== b),
      { maxLength: 3, selector: ([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}` },
    )
    .map((pairs) => ({
      ...problem,
      avoid: pairs.map(([a, b]) => [problem.players[a]?.id ?? '', problem.players[b]?.id ?? ''] as const),
    }));
}

function withRoles(problem: SplitProblem): fc.Arbitrary<SplitProblem> {
  const { players } = problem;
  const able = fc.option(fc.subarray([...roleNames, 'spectator']), { nil: undefined });
  return fc
    .tuple(
      fc.subarray(roleNames, { minLength: 1 }),
      fc.array(bounds, { minLength: 3, maxLength: 3 }),
      fc.array(able, { minLength: players.length, maxLength: players.length }),
    )
    .map(([names, limits, abilities]) => ({
      ...problem,
      players: players.map((player, i) => {
        const canPlay = abilities[i];
        return canPlay === undefined ? player : { ...player, canPlay };
      }),
      roles: Object.fromEntries(names.map((name, i) => [name, limits[i] ?? {}])),
    }));
}

/** Adds constraints, of any kind and number, to a problem. */
export function constrained(problem: SplitProblem): fc.Arbitrary<SplitProblem> {
  const parties = withParties(problem, 4);
  return fc.oneof(
    parties,
    withAvoid(problem),
    withRoles(problem),
    parties.chain(withAvoid),
    parties.chain(withRoles),
    withAvoid(problem).chain(withRoles),
    parties.chain(withAvoid).chain(withRoles),
  );
}

/** A clock that advances by one at every read. */
export function steppingClock(): () => number {
  let time = 0;
  return () => time++;
}
