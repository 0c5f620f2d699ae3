import { mostPlayers } from './check.js';
import type { SplitProblem } from './problem.js';

/** A kind of player: the set of the problem's roles that they can play, as bits. 0 is a player without a role. */
export type RoleKind = number;

/** What a team's players must be, as bounds on how many of each kind it has. */
export interface RoleRules {
  /** The kinds that players are of, without 0. */
  readonly kinds: readonly RoleKind[];
  /** Index into `kinds` by player, −1 for a player without a role. */
  readonly kindOf: readonly number[];
  /** Whether players so many of each kind can fill one team's roles. */
  readonly allows: (counts: readonly number[]) => boolean;
}

interface Bound {
  /** The kinds counted. */
  readonly members: readonly number[];
  readonly least: number;
  readonly most: number;
}

/**
 * Whoever can play a listed role plays exactly one of those they can. A team fills its roles when for every set S of roles
 * enough players can play one of S (Σ min), and those who can play nothing else are not too many (Σ max): Hall's
 * condition both ways; by Mendelsohn and Dulmage the two together suffice.
 */
export function roleRules({ players, roles = {} }: SplitProblem): RoleRules {
  const names = Object.keys(roles);
  const bits = new Map(names.map((role, i) => [role, 1 << i]));
  const sets = players.map((player) =>
    (player.canPlay ?? []).reduce((set, role) => set | (bits.get(role) ?? 0), 0),
  );
  const kinds = [...new Set(sets)].filter((set) => set !== 0).toSorted((a, b) => a - b);
  const kindOf = sets.map((set) => kinds.indexOf(set));
  const bounds: Bound[] = [];
  const indices = kinds.map((_, k) => k);
  for (let set = 1; set < 1 << names.length; set++) {
    let min = 0;
    let max = 0;
    names.forEach((role, i) => {
      if (!(set & (1 << i))) return;
      min += roles[role]?.min ?? 0;
      max += roles[role]?.max ?? mostPlayers;
    });
    const canHelp = indices.filter((k) => kinds[k]! & set);
    const stuck = indices.filter((k) => (kinds[k]! & ~set) === 0);
    if (min > 0) bounds.push({ members: canHelp, least: min, most: Infinity });
    if (max < mostPlayers && stuck.length > 0) bounds.push({ members: stuck, least: 0, most: max });
  }
  return {
    kinds,
    kindOf,
    allows: (counts) =>
      bounds.every(({ members, least, most }) => {
        let number = 0;
        for (const k of members) number += counts[k]!;
        return number >= least && number <= most;
      }),
  };
}
