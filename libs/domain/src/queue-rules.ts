/** One corner of a curve: from `afterSeconds` of waiting on, the limit is `limit` (linear between corners). */
export interface CurvePoint {
  readonly afterSeconds: number;
  /** `null` is "no limit any more" and may stand in the last corner only. */
  readonly limit: number | null;
}

/** A limit that grows with waiting. Corners in rising time, limits never falling, the first at 0 seconds. */
export type WideningCurve = readonly CurvePoint[];

/** What a queue (a playlist) plays and how it matches. Data, validated in `@muster/contracts`. */
export interface QueueRules {
  readonly name: string;
  readonly mode: string;
  /** The rating pool that the queue reads and feeds. */
  readonly pool: string;
  /** How many teams a match has, 2 to 10. */
  readonly teams: number;
  /** Players on each team, 1 to 50. */
  readonly teamSize: number;
  /** The largest party that may queue, at most `teamSize`. */
  readonly maxPartySize: number;
  /** Skill distance (in units of mu) allowed from the ticket that has waited longest, by its wait. */
  readonly skillWindow: WideningCurve;
  /** Difference of the teams' rating sums allowed after the best split, by the wait of the ticket that waited longest. */
  readonly teamGap: WideningCurve;
  /** Latency to a region in milliseconds that a ticket accepts, by its wait. */
  readonly latencyLimitMs: WideningCurve;
  /** A ticket that waited this long without a match expires. */
  readonly ticketTtlSeconds: number;
  /** A formed match that found no server for this long is given up; its tickets fail and say why. */
  readonly placementTimeoutSeconds: number;
  /** How many matches a newcomer to the pool plays at a level that is searched for, 0 to 50; none when absent. */
  readonly calibrationMatches?: number;
}
