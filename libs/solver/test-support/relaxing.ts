import type { Constraint, SplitPlayer, SplitProblem } from '../src/problem/problem.js';
import { choices, deals, isAllowed } from './partitions.js';

/** Every constraint that could be relaxed. */
export function constraintsOf({ players, avoid = [], roles = {} }: SplitProblem): Constraint[] {
  const parties = new Map<string, number>();
  for (const { party } of players) if (party !== undefined) parties.set(party, (parties.get(party) ?? 0) + 1);
  return [
    ...[...parties].map(([party, size]) => ({ kind: 'party', party, size }) as const),
    ...avoid.map((pair) => ({ kind: 'avoid', pair }) as const),
    ...Object.entries(roles).flatMap(([role, { min, max }]) => [
      ...(min === undefined ? [] : [{ kind: 'role-min', role, min } as const]),
      ...(max === undefined ? [] : [{ kind: 'role-max', role, max } as const]),
    ]),
  ];
}

function samePair(a: readonly [string, string], b: readonly [string, string]): boolean {
  return (a[0] === b[0] && a[1] === b[1]) || (a[0] === b[1] && a[1] === b[0]);
}

/** The problem without some of its constraints. */
export function without(problem: SplitProblem, given: readonly Constraint[]): SplitProblem {
  const parties = new Set(given.flatMap((one) => (one.kind === 'party' ? [one.party] : [])));
  const pairs = given.flatMap((one) => (one.kind === 'avoid' ? [one.pair] : []));
  const freed = (kind: Constraint['kind'], role: string): boolean =>
    given.some((one) => one.kind === kind && 'role' in one && one.role === role);
  return {
    ...problem,
    players: problem.players.map(({ party, ...player }): SplitPlayer =>
      party === undefined || parties.has(party) ? player : { ...player, party },
    ),
    avoid: (problem.avoid ?? []).filter((pair) => !pairs.some((one) => samePair(one, pair))),
    roles: Object.fromEntries(
      Object.entries(problem.roles ?? {}).map(([role, { min, max }]) => [
        role,
        {
          ...(min === undefined || freed('role-min', role) ? {} : { min }),
          ...(max === undefined || freed('role-max', role) ? {} : { max }),
        },
      ]),
    ),
  };
}

export function isFeasible(problem: SplitProblem): boolean {
  for (const teams of deals(problem.players, problem.teamSizes)) if (isAllowed(teams, problem)) return true;
  return false;
}

/** The least number of constraints whose removal allows a split. */
export function fewestToRelax(problem: SplitProblem): number {
  const all = constraintsOf(problem);
  for (let count = 0; count <= all.length; count++) {
    for (const given of choices(all, count)) if (isFeasible(without(problem, given))) return count;
  }
  return Infinity;
}
