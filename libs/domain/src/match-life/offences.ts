/** Players of one match who are blamed in one call. */
export interface Blamed {
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
}

/** An offence of a player, as their server reported it. */
export interface MatchOffence {
  readonly playerId: string;
  readonly kind: 'no-show' | 'left';
  readonly at: number;
}

/** One offence for each player and kind. */
export function offencesOf({ noShows, leavers }: Blamed, at: number): MatchOffence[] {
  return [
    ...noShows.map((playerId) => ({ playerId, kind: 'no-show' as const, at })),
    ...leavers.map((playerId) => ({ playerId, kind: 'left' as const, at })),
  ];
}
