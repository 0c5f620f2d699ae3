import type { PlayerFacts } from '@muster/domain';
import type { MatchRow } from './match-row.js';

/** The score of a match of two teams. */
export interface MatchScore {
  /** Points of the first team less those of the second. */
  readonly lead: number;
  /** The same as facts of each player, in the form of the teams. */
  readonly facts: readonly (readonly PlayerFacts[])[];
}

const atTheEnd = /(?:^|:)(\d{1,9})-(\d{1,9})$/;
/** A file in which the better team has the lower score more often than this has something else there. */
const leastAgreement = 0.9;

/** The score of two teams, where the context ends in it: `Oval:94-66`, or `94-66`. */
export function scoreOf({ body: { teams }, context }: MatchRow): MatchScore | null {
  const [, first, second] = teams.length === 2 ? (atTheEnd.exec(context) ?? []) : [];
  if (first === undefined || second === undefined) return null;
  const scores = [Number(first), Number(second)];
  return {
    lead: Number(first) - Number(second),
    facts: teams.map((team, t) => team.map(() => ({ scoredFor: scores[t], scoredAgainst: scores[1 - t] }))),
  };
}

/** Finds out whether what ends the contexts of a file are scores: nearly always the better team has more. */
export class ScoreScan {
  private duels = 0;
  private agreeing = 0;

  add(match: MatchRow): void {
    const [first = 0, second = 0] = match.body.ranks;
    if (match.body.teams.length !== 2 || first === second) return;
    this.duels++;
    const lead = scoreOf(match)?.lead ?? 0;
    if (lead * (second - first) > 0) this.agreeing++;
  }

  get areKnown(): boolean {
    return this.duels > 0 && this.agreeing >= leastAgreement * this.duels;
  }
}
