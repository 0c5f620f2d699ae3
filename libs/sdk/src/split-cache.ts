import type { RoundSplits } from '@muster/contracts';

/** Two teams, and who waits. */
export interface RoundTeams {
  readonly teams: readonly [readonly string[], readonly string[]];
  /** Everybody else who is there. */
  readonly bench: readonly string[];
  readonly difference: number;
  /** Whether the splits are of who was there before, as far as they are still there. */
  readonly stale: boolean;
}

/** The best teams of every size for those who were there when they were asked for. */
export class SplitCache {
  private splits: RoundSplits | null = null;

  get isEmpty(): boolean {
    return this.splits === null;
  }

  keep(splits: RoundSplits): void {
    this.splits = splits;
  }

  /**
   * The largest split that all of its players are there for.
   *
   * @returns null when there is none
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
