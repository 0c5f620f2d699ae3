import { split } from '@muster/solver';

/** A set of tickets with constraints on its teams: roles to fill, pairs that must not be team-mates. */
export interface BoundSet {
  readonly tickets: readonly {
    readonly sum: number;
    readonly size: number;
    /** Roles that each of its players can play; absent: none in particular. */
    readonly canPlay?: readonly (readonly string[])[];
  }[];
  /** Pairs of tickets, by index, that must not be on one team. */
  readonly apart: readonly (readonly [number, number])[];
  readonly roles: Readonly<Record<string, number>>;
  readonly teams: number;
  readonly teamSize: number;
  /** They fill the empty places, play no role, and never form a team alone. */
  readonly bots: { readonly count: number; readonly skill: number };
}

/**
 * Memory limit of the lists for one set, in bytes; a set that needs more counts as having no teams, and waits for another.
 */
const memoryBytes = 8 * 1024 * 1024;

/** A placeholder role when the rules demand none, so that every team gets a human. */
const human = 'human';

/** The smallest gap of teams with constraints (roles, avoid-lists), computed by the solver that will split them. */
export function boundGap({ tickets, apart, roles, teams, teamSize, bots }: BoundSet): number {
  const idOf = (ticket: number, player: number): string => `${ticket}.${player}`;
  // Where a team needs a role, it has a human.
  const needed = Object.keys(roles).length > 0 ? roles : bots.count >= teamSize ? { [human]: 1 } : {};
  const players = tickets.flatMap(({ sum, size, canPlay }, t) =>
    Array.from({ length: size }, (_, p) => ({
      id: idOf(t, p),
      // A party is in one team as a whole, so the split of its skill among its players does not matter.
      weight: sum / size,
      ...(size > 1 ? { party: String(t) } : {}),
      canPlay: human in needed ? [human] : (canPlay?.[p] ?? []),
    })),
  );
  const answer = split(
    {
      players: [
        ...players,
        ...Array.from({ length: bots.count }, (_, b) => ({ id: `bot ${b}`, weight: bots.skill })),
      ],
      teamSizes: Array.from({ length: teams }, () => teamSize),
      roles: Object.fromEntries(Object.entries(needed).map(([role, min]) => [role, { min }])),
      avoid: apart.map(([a, b]) => [idOf(a, 0), idOf(b, 0)] as const),
    },
    // It is asked for many candidates in a tick; the match itself is split with more time.
    { memoryBytes, mostSteps: 0 },
  );
  return answer.outcome === 'split' ? (answer.solutions[0]?.difference ?? Infinity) : Infinity;
}
