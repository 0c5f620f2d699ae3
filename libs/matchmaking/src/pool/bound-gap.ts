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
}

/** Bytes of lists for one set; one that needs more counts as having no teams, and waits for another. */
const memoryBytes = 8 * 1024 * 1024;

/** How even the best teams of tickets are that are bound by roles or by whom they avoid: by the solver that will split them. */
export function boundGap({ tickets, apart, roles, teams, teamSize }: BoundSet): number {
  const idOf = (ticket: number, player: number): string => `${ticket}.${player}`;
  const players = tickets.flatMap(({ sum, size, canPlay }, t) =>
    Array.from({ length: size }, (_, p) => ({
      id: idOf(t, p),
      // A party is in one team whole, so who of it is the better one changes nothing.
      weight: sum / size,
      ...(size > 1 ? { party: String(t) } : {}),
      ...(canPlay?.[p] ? { canPlay: canPlay[p] } : {}),
    })),
  );
  const answer = split(
    {
      players,
      teamSizes: Array.from({ length: teams }, () => teamSize),
      roles: Object.fromEntries(Object.entries(roles).map(([role, min]) => [role, { min }])),
      avoid: apart.map(([a, b]) => [idOf(a, 0), idOf(b, 0)] as const),
    },
    { memoryBytes },
  );
  return answer.outcome === 'split' ? (answer.solutions[0]?.difference ?? Infinity) : Infinity;
}
