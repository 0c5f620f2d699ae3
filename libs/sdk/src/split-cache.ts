import type { RoundSplits } from '@muster/contracts';

/** Two teams and the bench. */
export interface RoundTeams {
  readonly teams: readonly [readonly string[], readonly string[]];
  /** All other present players. */
  readonly bench: readonly string[];
  readonly difference: number;
  /** Whether the splits are for an earlier set of players. */
  readonly stale: boolean;
}

/** The best teams of every size for the players at the time of the request. */
export class SplitCache {
  private splits: RoundSplits | null = null;

  get isEmpty(): boolean {
    return this.splits === null;
  }

  keep(splits: RoundSplits): void {
    this.splits = splits;
  }

  /**
   * The largest split whose players are all present.
   *
   * @returns null if there is none
   */
  pick(present: readonly string[]): RoundTeams | null {
    const here = new Set(present);
    const fitting = (this.splits?.splits ?? []).filter(({ teams }) =>
      teams.flat().every((id) => here.has(id)),
    );
    const largest = fitting.toSorted((a, b) => b.size - a.size)[0];
    const [first, second] = largest?.teams ?? [];
    if (!largest || !first || !second) return null;
    const playing = new Set([...first, ...second]);
    const known = new Set(this.splits?.players.map(({ playerId }) => playerId));
    return {
      teams: [first, second],
      bench: present.filter((id) => !playing.has(id)),
      difference: largest.difference,
      stale: known.size !== here.size || present.some((id) => !known.has(id)),
    };
  }
}
