import { Unsolvable } from '@muster/domain';
import { Steps, type BaselineLimit } from './steps.js';
import type { PartyPlayer } from './sums.js';

/** Players and the teams they are for; parties stay together. */
export interface EnumerationProblem {
  readonly players: readonly PartyPlayer[];
  /** The size of each team; adds up to the number of players. */
  readonly teamSizes: readonly number[];
}

export interface EnumerationSolution {
  readonly teams: readonly (readonly string[])[];
  readonly sums: readonly number[];
  /** Largest team sum less the smallest. */
  readonly difference: number;
}

export interface EnumerationAnswer {
  readonly best: EnumerationSolution;
  /** The best rejected split, or null where there was only one. */
  readonly runnerUp: EnumerationSolution | null;
  /** Number of distinct splits that were compared. */
  readonly considered: number;
  readonly method: 'enumeration';
  readonly certificate: { readonly status: 'proven'; readonly lowerBound: number };
  /** Players and parties placed. */
  readonly operations: number;
}

/** Step limit of enumeration: about a second of one core; 24 players in two teams are well below. */
const stepLimit = 12_000_000;

interface Atom {
  readonly ids: readonly string[];
  readonly weight: number;
}

/**
 * Splits players into teams of given sizes so that the largest and the smallest team sum differ least, by comparing every
 * split that keeps parties together. Exact, and proven by exhaustion.
 *
 * 1. Join parties into atoms, heaviest first (so that the input order does not matter).
 * 2. Place atom after atom on every team with room; of equal empty teams only the first, since the others give the same
 *    split.
 * 3. Keep the two best.
 *
 * Limitations: it examines every split. 24 players in two teams are about its limit, and it supports no roles and no
 * avoided pairs.
 *
 * @throws Unsolvable when sizes do not add up, a weight is not finite, a party fits nowhere, or there are too many splits
 *   for its own limit or the one that was passed in
 */
export function enumerate(problem: EnumerationProblem, limit: BaselineLimit = {}): EnumerationAnswer {
  const { teamSizes } = problem;
  check(problem);
  const atoms = gather(problem.players);
  const count = teamSizes.length;
  const room = [...teamSizes];
  const sums = teamSizes.map(() => 0);
  const placed: number[] = Array.from({ length: atoms.length }, () => -1);
  let best: { difference: number; placed: number[] } | null = null;
  let runnerUp: { difference: number; placed: number[] } | null = null;
  let considered = 0;
  const steps = new Steps(limit);

  const place = (index: number): void => {
    if (!steps.take() || steps.taken > stepLimit) {
      throw new Unsolvable(
        `There are too many ways to split ${problem.players.length} players into ${count} teams for plain enumeration ` +
          `(it stopped after ${steps.taken - 1} steps). Use fewer players or fewer teams.`,
        { players: problem.players.length, teams: count },
      );
    }
    const atom = atoms[index];
    if (!atom) {
      considered++;
      const difference = Math.max(...sums) - Math.min(...sums);
      if (!best || difference < best.difference) {
        runnerUp = best;
        best = { difference, placed: [...placed] };
      } else if (!runnerUp || difference < runnerUp.difference) {
        runnerUp = { difference, placed: [...placed] };
      }
      return;
    }
    for (let team = 0; team < count; team++) {
      const free = room[team] ?? 0;
      if (free < atom.ids.length || sameEmptyTeamBefore(team)) continue;
      const sum = sums[team] ?? 0;
      room[team] = free - atom.ids.length;
      sums[team] = sum + atom.weight;
      placed[index] = team;
      place(index + 1);
      // Restored, not subtracted: sums must not drift with the number of steps.
      room[team] = free;
      sums[team] = sum;
    }
  };
  const sameEmptyTeamBefore = (team: number): boolean => {
    const size = teamSizes[team];
    if (room[team] !== size) return false;
    for (let other = 0; other < team; other++) {
      if (teamSizes[other] === size && room[other] === size) return true;
    }
    return false;
  };

  place(0);
  const found = best as { difference: number; placed: number[] } | null;
  if (!found) {
    throw new Unsolvable(
      `These parties do not fit into teams of ${teamSizes.join(' and ')}: break up the largest party ` +
        `(${Math.max(...atoms.map((atom) => atom.ids.length))} players).`,
    );
  }
  const second = runnerUp as { difference: number; placed: number[] } | null;
  return {
    best: solution(atoms, found.placed, count),
    runnerUp: second && solution(atoms, second.placed, count),
    considered,
    method: 'enumeration',
    certificate: { status: 'proven', lowerBound: found.difference },
    operations: steps.taken,
  };
}

function check({ players, teamSizes }: EnumerationProblem): void {
  if (teamSizes.length < 2 || teamSizes.some((size) => !Number.isInteger(size) || size < 1)) {
    throw new Unsolvable('Give at least two team sizes, each a whole number of at least 1.', { teamSizes });
  }
  const seats = teamSizes.reduce((sum, size) => sum + size, 0);
  if (seats !== players.length) {
    throw new Unsolvable(`The teams have ${seats} places but there are ${players.length} players.`, {
      teamSizes,
    });
  }
  const ids = new Set<string>();
  for (const { id, weight } of players) {
    if (!Number.isFinite(weight)) throw new Unsolvable(`The weight of ${id} is not a finite number.`, { id });
    if (ids.has(id)) throw new Unsolvable(`${id} is named twice.`, { id });
    ids.add(id);
  }
}

function gather(players: readonly PartyPlayer[]): Atom[] {
  const parties = new Map<string, PartyPlayer[]>();
  for (const player of players) {
    // Prefixed, so that a party named like a player remains a separate party.
    const key = player.party === undefined ? `solo:${player.id}` : `party:${player.party}`;
    parties.set(key, [...(parties.get(key) ?? []), player]);
  }
  return [...parties.values()]
    .map((members) => {
      const ordered = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { ids: ordered.map((m) => m.id), weight: ordered.reduce((sum, m) => sum + m.weight, 0) };
    })
    .toSorted((a, b) => b.weight - a.weight || ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1));
}

function solution(atoms: readonly Atom[], placed: readonly number[], count: number): EnumerationSolution {
  const teams: string[][] = Array.from({ length: count }, () => []);
  const sums: number[] = Array.from({ length: count }, () => 0);
  atoms.forEach((atom, i) => {
    const team = placed[i] ?? 0;
    teams[team]?.push(...atom.ids);
    sums[team] = (sums[team] ?? 0) + atom.weight;
  });
  return { teams, sums, difference: Math.max(...sums) - Math.min(...sums) };
}
