import { grouped } from '@muster/domain';
import type { SplitPlayer, SplitProblem, Weighted } from './problem.js';

/**
 * Players whose positions depend on each other: on one team the players of `here`, on the other those of `there`. A single
 * player and a party have nobody there; an avoided pair has one each.
 */
export interface Atom {
  /** Indices of players. */
  readonly here: readonly number[];
  readonly there: readonly number[];
}

/** Two players with a contradiction: they must be, and must not be, team-mates. */
export interface Conflict {
  readonly conflict: readonly [number, number];
}

/**
 * Joins parties and avoided pairs of two teams into atoms: a union-find that stores on which side of its root a player is.
 * `order` lists players in the order of processing; atoms come in the order of their first player.
 */
export function joinTwo(problem: SplitProblem, order: readonly number[]): readonly Atom[] | Conflict {
  const { players, avoid = [] } = problem;
  const parent = players.map((_, i) => i);
  const opposite = players.map(() => 0);
  const find = (i: number): { root: number; side: number } => {
    let root = i;
    let side = 0;
    while (parent[root] !== root) {
      side ^= opposite[root]!;
      root = parent[root]!;
    }
    return { root, side };
  };
  const join = (i: number, j: number, apart: number): boolean => {
    const a = find(i);
    const b = find(j);
    if (a.root === b.root) return (a.side ^ b.side) === apart;
    parent[b.root] = a.root;
    opposite[b.root] = a.side ^ b.side ^ apart;
    return true;
  };
  for (const members of parties(players).values()) {
    for (const member of members)
      if (!join(members[0]!, member, 0)) return { conflict: [members[0]!, member] };
  }
  const indexOf = new Map(players.map((player, i) => [player.id, i]));
  for (const [a, b] of avoid) {
    const i = indexOf.get(a)!;
    const j = indexOf.get(b)!;
    if (!join(i, j, 1)) return { conflict: [i, j] };
  }
  const atoms = new Map<number, { here: number[]; there: number[]; side: number }>();
  for (const i of order) {
    const { root, side } = find(i);
    const atom = atoms.get(root) ?? { here: [], there: [], side };
    (side === atom.side ? atom.here : atom.there).push(i);
    atoms.set(root, atom);
  }
  return [...atoms.values()];
}

/** The players of both teams, by the atoms' sides. */
export function teamsOf(atoms: readonly Atom[], sides: Uint8Array): [number[], number[]] {
  const teams: [number[], number[]] = [[], []];
  atoms.forEach(({ here, there }, atom) => {
    teams[sides[atom] ? 0 : 1].push(...here);
    teams[sides[atom] ? 1 : 0].push(...there);
  });
  return teams;
}

/** Players' indices by party; players without one are missing. */
export function parties(players: readonly SplitPlayer[]): Map<string, number[]> {
  const indices = [...players.keys()].filter((i) => players[i]!.party !== undefined);
  return grouped(indices, (i) => players[i]!.party!);
}

/** Players, heaviest first; equal ones by id, so that the input order does not matter. */
export function heaviestFirst(players: readonly Weighted[]): number[] {
  return players
    .map((_, i) => i)
    .sort((i, j) => {
      const a = players[i]!;
      const b = players[j]!;
      return b.weight - a.weight || (a.id < b.id ? -1 : 1);
    });
}
