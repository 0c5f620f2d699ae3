import { parties } from './atoms.js';
import type { Constraint, SplitProblem } from './problem.js';

/** Trial limit of the search for a smaller set. */
const mostTrials = 2_000;

/**
 * The fewest constraints whose removal allows a split, by trying sets of one, of two, of three. Small parties are tried
 * before large ones, since splitting them separates the fewest friends.
 *
 * @param feasible whether a problem has a split
 * @returns an empty list when no such set was found
 */
export function smallestRelaxation(
  problem: SplitProblem,
  feasible: (relaxed: SplitProblem) => boolean,
): Constraint[] {
  const constraints = constraintsOf(problem);
  let trials = 0;
  const among = (from: number, left: number, taken: readonly Constraint[]): Constraint[] | null => {
    if (left === 0) {
      trials++;
      return feasible(without(problem, taken)) ? [...taken] : null;
    }
    for (let i = from; i <= constraints.length - left && trials < mostTrials; i++) {
      const found = among(i + 1, left - 1, [...taken, constraints[i]!]);
      if (found) return found;
    }
    return null;
  };
  for (let number = 1; number <= Math.min(3, constraints.length); number++) {
    const found = among(0, number, []);
    if (found) return found;
  }
  return [];
}

function constraintsOf({ players, avoid = [], roles = {} }: SplitProblem): Constraint[] {
  const broken = [...parties(players)]
    .filter(([, members]) => members.length > 1)
    .map(([party, members]): Constraint => ({ kind: 'party', party, size: members.length }))
    .toSorted((a, b) => (a.kind === 'party' && b.kind === 'party' ? a.size - b.size : 0));
  return [
    ...broken,
    ...avoid.map((pair): Constraint => ({ kind: 'avoid', pair })),
    ...Object.entries(roles).flatMap(([role, { min = 0, max }]): Constraint[] => [
      ...(min > 0 ? [{ kind: 'role-min', role, min } as const] : []),
      ...(max === undefined ? [] : [{ kind: 'role-max', role, max } as const]),
    ]),
  ];
}

function without(problem: SplitProblem, relaxed: readonly Constraint[]): SplitProblem {
  let { players, avoid = [] } = problem;
  const roles = new Map(Object.entries(problem.roles ?? {}).map(([role, bounds]) => [role, { ...bounds }]));
  for (const constraint of relaxed) {
    if (constraint.kind === 'party') {
      players = players.map(({ party, ...player }) =>
        party === undefined || party === constraint.party ? player : { ...player, party },
      );
    } else if (constraint.kind === 'avoid') avoid = avoid.filter((pair) => pair !== constraint.pair);
    else if (constraint.kind === 'role-min') delete roles.get(constraint.role)?.min;
    else delete roles.get(constraint.role)?.max;
  }
  return { ...problem, players, avoid, roles: Object.fromEntries(roles) };
}

/** The advice as text. */
export function adviceOn(relax: readonly Constraint[]): string {
  if (relax.length === 0) return 'No three constraints less would help: the sizes themselves must change.';
  const words = relax.map((constraint) => {
    switch (constraint.kind) {
      case 'party':
        return `break up the party ${constraint.party} (${constraint.size} players)`;
      case 'avoid':
        return `let ${constraint.pair.join(' and ')} play together`;
      case 'role-min':
        return `ask for fewer than ${constraint.min} of ${constraint.role} a team`;
      case 'role-max':
        return `allow more than ${constraint.max} of ${constraint.role} a team`;
    }
  });
  return `It would be possible after this: ${words.join('; ')}.`;
}
