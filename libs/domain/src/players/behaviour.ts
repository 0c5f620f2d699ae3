/** Kinds of complaints about a team-mate. Opponents are reported for `cheating` alone. */
export const complaints = ['abuse', 'sabotage', 'leaving', 'cheating'] as const;
/** Kinds of commendations of a team-mate. */
export const commendations = ['friendly', 'teamwork'] as const;

export type BehaviourKind = (typeof complaints)[number] | (typeof commendations)[number];

/** The effect of one report. */
export interface BehaviourMark {
  readonly matchId: string;
  readonly reporter: string;
  /** Tells the parties of a match apart: reporters of one party count as one. Null: the reporter queued alone. */
  readonly party: number | null;
  readonly kind: BehaviourKind;
  /** 0 to 1, by the reporter's standing at the time of the report. */
  readonly weight: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A player's report on another one after a match. */
export interface BehaviourReport extends BehaviourMark {
  readonly reported: string;
  /** The reporter's own text; null when there is none. */
  readonly note: string | null;
}

/** `repeat`: the same report was stored before. `contradicts`: a different one was. The first report stays. */
export type ReportOutcome = 'counted' | 'repeat' | 'contradicts';
