import { split } from '@muster/solver';

/** A set of tickets whose teams are bound by more than sums: roles to fill, players not to be team-mates. */
export interface BoundSet {
  readonly tickets: readonly {
    readonly sum: number;
    readonly size: number;
    /** What each of its players can play; absent: nothing in particular. */
    readonly canPlay?: readonly (readonly string[])[];
  }[];
  /** Pairs of tickets, by index, that are not to be on one team. */
  readonly apart: readonly (readonly [number, number])[];
  readonly roles: Readonly<Record<string, number>>;
  readonly teams: number;
  readonly teamSize: number;
  /** They fill the empty places, play no role, and no team is of them alone. */
  readonly bots: { readonly count: number; readonly skill: number };
}

/** Bytes of lists for one set; one that needs more counts as having no teams, and waits for another. */
const memoryBytes = 8 * 1024 * 1024;

/** Stands in for a role where nobody has one, so that every team gets a human. */
const human = 'human';

/** How even the best teams of tickets are that are bound by roles or by whom they avoid: by the solver that will split them. */
export function boundGap({ tickets, apart, roles, teams, teamSize, bots }: BoundSet): number {
  const idOf = (ticket: number, player: number): string => `${ticket}.${player}`;
  // Where a team needs a role, it has a human.
  const needed = Object.keys(roles).length > 0 ? roles : bots.count >= teamSize ? { [human]: 1 } : {};
  const players = tickets.flatMap(({ sum, size, canPlay }, t) =>
    Array.from({ length: size }, (_, p) => ({
      id: idOf(t, p),
      // A party is in one team whole, so who of it is the better one changes nothing.
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
    { memoryBytes },
  );
  return answer.outcome === 'split' ? (answer.solutions[0]?.difference ?? Infinity) : Infinity;
}
