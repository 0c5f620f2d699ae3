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
  /** Largest skill of a match's tickets less the smallest, in units of mu, by the wait of the ticket that has waited longest. */
  readonly skillWindow: WideningCurve;
  /** Difference of the teams' rating sums allowed after the best split, by the wait of the ticket that has waited longest. */
  readonly teamGap: WideningCurve;
  /** Latency to a region in milliseconds that a ticket accepts, by its own wait. */
  readonly latencyLimitMs: WideningCurve;
  /**
   * Parties face parties: until a ticket of the match has waited so long, parties of each size come in numbers that the teams
   * can share out evenly. Absent or 0: preferred, never demanded.
   */
  readonly pairPartiesSeconds?: number;
  /** How many players of each team, at the least, can play a role; together at most `teamSize`. */
  readonly roles?: Readonly<Record<string, number>>;
  readonly maps?: MapRules;
  readonly behaviour?: BehaviourRules;
  /** Which platforms may meet; absent: all. */
  readonly crossPlay?: CrossPlayRules;
  /** Teams may be smaller when a ticket of the match has waited: in rising time and falling size. */
  readonly smallerTeams?: readonly SmallerTeams[];
  readonly bots?: BotFill;
  readonly entry?: EntryRules;
  /** Every player accepts their match before it is made; absent: nobody is asked. */
  readonly readyCheck?: ReadyCheckRules;
  /** For those who never connected to their match, as its server says. */
  readonly noShows?: CoolDownRules;
  /** For those who left their match for good, as its server says. */
  readonly leavers?: CoolDownRules;
  /** Waiting players are offered to running matches that somebody left; absent: never. */
  readonly backfill?: BackfillRules;
  /** How running matches are kept fair: a policy as `@muster/contracts` has it; absent: teams stay as they were formed. */
  readonly liveBalance?: string | object;
  /** A ticket that waited this long without a match expires. */
  readonly ticketTtlSeconds: number;
  /** A formed match that found no server for this long is given up; its tickets fail and say why. */
  readonly placementTimeoutSeconds: number;
  /**
   * A result that comes after its server was lost counts all the same for this long, unless one of its players was rated since;
   * an hour when absent, 0: never.
   */
  readonly lateResultSeconds?: number;
  /**
   * A match without a server may be left so long after it was formed; absent: as soon as no server was found at the first
   * attempt, which comes first in any case.
   */
  readonly leaveWithoutServerSeconds?: number;
  /** How many matches a newcomer to the pool plays at a level that is searched for, 0 to 50; none when absent. */
  readonly calibrationMatches?: number;
}

/** Which maps a queue plays, and how long its tickets insist on their wishes. */
export interface MapRules {
  readonly names: readonly string[];
  /**
   * Until a ticket of the match has waited so long there is a map that everybody wishes for; after that, most wishes win. A
   * ticket without wishes takes any. null: everybody's wish, always.
   */
  readonly agreeSeconds: number | null;
}

/** Platforms that may meet. */
export interface CrossPlayRules {
  /** Platforms of one group meet, those of different groups do not. A platform is in one group at most; others do not play. */
  readonly groups: readonly (readonly string[])[];
  /**
   * Whether a party of platforms of different groups may queue. It then plays in the first of its groups, in the order of
   * `groups`. Absent: it may not.
   */
  readonly partiesOpenCrossPlay?: boolean;
}

/** Who may queue: every player of a ticket must meet all of it. */
export interface EntryRules {
  /** The account is verified, as the game's login says. */
  readonly verified?: true;
  /** Minutes played, as the game's login says, at the least. */
  readonly minPlayMinutes?: number;
  /** Age of the account in days, as the game's login says, at the least. */
  readonly minAccountDays?: number;
  /** Matches rated in the queue's pool, at the least. */
  readonly minMatches?: number;
}

/** How long a player may not queue after an offence, and how offences are forgotten. */
export interface CoolDownRules {
  /** After the first offence, the second, and so on; never falling. The last one is for all that follow. */
  readonly coolDownSeconds: readonly number[];
  /** An offence older than this no longer makes the next one dearer. At least the longest cool-down. */
  readonly forgiveAfterSeconds: number;
}

/** Whoever declines, or does not answer, loses their ticket and cools down. */
export interface ReadyCheckRules extends CoolDownRules {
  /** How long players have to accept. */
  readonly seconds: number;
}

/** What becomes of a server's request for players. */
export interface BackfillRules {
  /** How long a request stays open. */
  readonly seconds: number;
}

/** Players of low behaviour score meet one another. */
export interface BehaviourRules {
  /** A ticket is of low score when the least score of its players (0 to 1) is below this. */
  readonly lowBelow: number;
  /** A low ticket that has waited so long may meet everybody; null: never. */
  readonly apartSeconds: number | null;
}

export interface SmallerTeams {
  readonly afterSeconds: number;
  readonly teamSize: number;
}

/** Empty places are filled with bots when a ticket of the match has waited. */
export interface BotFill {
  readonly afterSeconds: number;
  /** What one bot counts, in units of mu. */
  readonly skill: number;
  /** Humans in the match at the least. */
  readonly minPlayers: number;
}
