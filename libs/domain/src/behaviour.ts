/** What a player may say against a team-mate. */
export const complaints = ['abuse', 'sabotage', 'leaving', 'cheating'] as const;
/** What a player may say for one. */
export const commendations = ['friendly', 'teamwork'] as const;

export type BehaviourKind = (typeof complaints)[number] | (typeof commendations)[number];

/** What one report comes to. */
export interface BehaviourMark {
  readonly reporter: string;
  readonly kind: BehaviourKind;
  /** 0 to 1, by the standing that the reporter had when they reported. */
  readonly weight: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a player said of a team-mate after a match. */
export interface BehaviourReport extends BehaviourMark {
  readonly matchId: string;
  readonly reported: string;
  /** In the reporter's words; null when they said no more. */
  readonly note: string | null;
}

/** `repeat`: the same was said before. `contradicts`: something else was. What was said first stays. */
export type ReportOutcome = 'counted' | 'repeat' | 'contradicts';

/** What players said of one another. One report a match, reporter and reported. */
export interface BehaviourStore {
  report(report: BehaviourReport): Promise<ReportOutcome>;
  /** What was said of each of these players since then, of many only the newest. Of whom nothing was said is left out. */
  marksOf(
    playerIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, readonly BehaviourMark[]>>;
  /** What was said of one player, newest first. */
  reportsOn(playerId: string, limit: number): Promise<BehaviourReport[]>;
}
