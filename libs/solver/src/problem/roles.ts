import { own } from '@muster/domain';
import { mostPlayers } from './check.js';
import type { SplitProblem } from './problem.js';

/** A kind of player: the set of the problem's roles that they can play, as bits. 0 is a player without a role. */
type RoleKind = number;

/** The requirements of a team's roles, as bounds on the number of players of each kind. */
export interface RoleRules {
  /** Number of kinds of players that the bounds distinguish. */
  readonly kinds: number;
  /** By player, from 0; −1 for a player whom no bound counts. */
  readonly kindOf: readonly number[];
  /** Whether given numbers of each kind can fill one team's roles. */
  readonly allows: (counts: readonly number[]) => boolean;
  /**
   * Whether there are enough players, and enough places for them, on this many teams together: necessary, not sufficient
   * for each team.
   */
  readonly canBeKept: (teams: number) => boolean;
}

interface Bound {
  /** The kinds counted. */
  readonly members: ReadonlySet<RoleKind>;
  readonly least: number;
  readonly most: number;
}

/**
 * A player who can play a listed role plays exactly one of theirs. A team can fill its roles when for every set S of roles
 * enough players can play one of S (Σ min), and those who can play nothing else are not too many (Σ max): Hall's condition
 * both ways; by Mendelsohn and Dulmage the two together suffice.
 */
export function roleRules({ players, roles = {} }: SplitProblem): RoleRules {
  const names = Object.keys(roles);
  const bits = new Map(names.map((role, i) => [role, 1 << i]));
  const sets = players.map((player) =>
    (player.canPlay ?? []).reduce((set, role) => set | (bits.get(role) ?? 0), 0),
  );
  const kinds = [...new Set(sets)].filter((set) => set !== 0).toSorted((a, b) => a - b);
  const bounds: Bound[] = [];
  for (let set = 1; set < 1 << names.length; set++) {
    let min = 0;
    let max = 0;
    names.forEach((role, i) => {
      if (!(set & (1 << i))) return;
      min += own(roles, role)?.min ?? 0;
      max += own(roles, role)?.max ?? mostPlayers;
    });
    const canHelp = kinds.filter((kind) => kind & set);
    const stuck = kinds.filter((kind) => (kind & ~set) === 0);
    if (min > 0) bounds.push({ members: new Set(canHelp), least: min, most: Infinity });
    if (max < mostPlayers && stuck.length > 0) bounds.push({ members: new Set(stuck), least: 0, most: max });
  }
  // Kinds that no bound distinguishes count as one; one that no bound counts is no kind.
  const classes = new Map<string, RoleKind[]>();
  for (const kind of kinds) {
    const name = bounds.map(({ members }) => (members.has(kind) ? '1' : '0')).join('');
    if (name.includes('1')) classes.set(name, [...(classes.get(name) ?? []), kind]);
  }
  const merged = [...classes.values()];
  const counting = bounds.map(({ members, least, most }) => ({
    members: merged.flatMap((list, k) => (members.has(list[0]!) ? [k] : [])),
    least,
    most,
  }));
  const totals = merged.map((list) => sets.filter((set) => list.includes(set)).length);
  return {
    kinds: merged.length,
    canBeKept: (teams) =>
      counting.every(({ members, least, most }) => {
        const number = members.reduce((sum, k) => sum + totals[k]!, 0);
        return number >= teams * least && number <= teams * most;
      }),
    kindOf: sets.map((set) => merged.findIndex((list) => list.includes(set))),
    allows: (counts) =>
      counting.every(({ members, least, most }) => {
        let number = 0;
        for (const k of members) number += counts[k]!;
        return number >= least && number <= most;
      }),
  };
}
