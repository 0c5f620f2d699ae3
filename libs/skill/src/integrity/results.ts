import type { Situation, SkillBelief } from '@muster/domain';

/** A rated match as signals see it. */
export interface WatchedMatch {
  readonly matchId: string;
  /** Its place in the ledger. */
  readonly sequence: number;
  /** Player ids by team. */
  readonly teams: readonly (readonly string[])[];
  /** By team, 1 is best. */
  readonly ranks: readonly number[];
  /** The pool's chance of each team to come first; a draw of two is half to each. */
  readonly chances: readonly number[];
  /** The rating of each player before the match, in the shape of `teams`; null where none is known. */
  readonly before: readonly (readonly (SkillBelief | null)[])[];
  readonly situation?: Situation | undefined;
  /** null: not known. */
  readonly server: string | null;
}

/** The outcome for each team: 1 came first, 0 did not; teams that came first together share it. */
export function outcomesOf(ranks: readonly number[]): number[] {
  const best = Math.min(...ranks);
  const first = ranks.filter((rank) => rank === best).length;
  return ranks.map((rank) => (rank === best ? 1 / first : 0));
}
