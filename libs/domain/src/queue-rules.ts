import type { PlacementPolicy } from './match-life/index.js';
import type { SessionFact } from './session-players.js';

/** One corner of a curve: from `afterSeconds` of waiting on, the limit is `limit` (linear between corners). */
export interface CurvePoint {
  readonly afterSeconds: number;
  /** `null` is "no limit any more" and is allowed in the last corner only. */
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
  /** Largest skill of a match's tickets less the smallest, in units of mu, by the longest wait of its tickets. */
  readonly skillWindow: WideningCurve;
  /** Allowed difference of the teams' rating sums after the best split, by the longest wait of its tickets. */
  readonly teamGap: WideningCurve;
  /** Latency to a region in milliseconds that a ticket accepts, by its own wait. */
  readonly latencyLimitMs: WideningCurve;
  /**
   * Parties face parties: until a ticket of the match has waited this long, parties of each size come in numbers that the
   * teams can share equally. Absent or 0: preferred, never required.
   */
  readonly pairPartiesSeconds?: number;
  /** Fewest players of each team who can play a role; together at most `teamSize`. */
  readonly roles?: Readonly<Record<string, number>>;
  /** The side that each team plays, in team order; absent: teams have no sides, or the server chooses them. */
  readonly sides?: readonly string[];
  readonly maps?: MapRules;
  readonly behaviour?: BehaviourRules;
  /** The platforms that may play together; absent: all. */
  readonly crossPlay?: CrossPlayRules;
  /** Teams may be smaller when a ticket of the match has waited: in rising time and falling size. */
  readonly smallerTeams?: readonly SmallerTeams[];
  readonly bots?: BotFill;
  readonly entry?: EntryRules;
  /** Every player accepts their match before it is formed; absent: no ready check. */
  readonly readyCheck?: ReadyCheckRules;
  /** For players who never connected to their match, as its server reports. */
  readonly noShows?: CoolDownRules;
  /** For players who left their match for good, as its server reports. */
  readonly leavers?: CoolDownRules;
  /** Waiting players are offered to running matches with free seats; absent: never. */
  readonly backfill?: BackfillRules;
  /** How running matches are kept fair: a policy defined in `@muster/contracts`; absent: teams stay as they were formed. */
  readonly liveBalance?: string | object;
  /** A ticket that waited this long without a match expires. */
  readonly ticketTtlSeconds: number;
  /** A formed match that found no server for this long is given up; its tickets fail with a reason. */
  readonly placementTimeoutSeconds: number;
  /** How the server of a match is chosen; `spread` when absent. */
  readonly placement?: PlacementPolicy;
  /** Labels that the server of a match must have, with their values; absent: none. */
  readonly serverLabels?: Readonly<Record<string, string>>;
  /** How far avoid-lists count; absent: entirely. */
  readonly avoidLists?: AvoidRules;
  /** What servers are told about the players of a session; `defaultSessionFacts` when absent. */
  readonly sessionTells?: readonly SessionFact[];
  /**
   * A result that arrives after its server was lost still counts for this long, unless one of its players was rated since;
   * an hour when absent, 0: never.
   */
  readonly lateResultSeconds?: number;
  /**
   * A live match may be resumed by its server until that was silent for this long; then its players are free. 30 when
   * absent, at least the silence limit of the allocator.
   */
  readonly resumeSeconds?: number;
  /**
   * When the server of a match is lost less than this long after it began, its players return to the queue at their old
   * place: 0 to 3,600, 300 when absent; 0: never.
   */
  readonly crashRequeueSeconds?: number;
  /**
   * A match without a server may be left this long after it was formed; absent: as soon as the first attempt, which always
   * comes first, found no server.
   */
  readonly leaveWithoutServerSeconds?: number;
  /** A match that is played may be left without a penalty after so many seconds; 7,200 when absent. */
  readonly leaveMatchAfterSeconds?: number;
  /**
   * When a server blames more than this share of a match's players, nobody of it is penalised unless an operator says so: 0 to 1,
   * 0.5 when absent; 1: never.
   */
  readonly massBlameShare?: number;
  /** Number of matches that a newcomer to the pool plays at the level of a search, 0 to 50; none when absent. */
  readonly calibrationMatches?: number;
}

/** The maps of a queue, and how long its tickets insist on their wishes. */
export interface MapRules {
  readonly names: readonly string[];
  /**
   * Until a ticket of the match has waited this long, the map must be one that all players wish for; after that, most
   * wishes win. A ticket without wishes accepts any. null: all wishes, always.
   */
  readonly agreeSeconds: number | null;
}

/** Platforms that may play together. */
export interface CrossPlayRules {
  /**
   * Platforms of one group meet, those of different groups do not. A platform is in at most one group; other platforms are
   * refused.
   */
  readonly groups: readonly (readonly string[])[];
  /**
   * Whether a party with platforms of different groups may queue. It then plays in the first of its groups, in the order of
   * `groups`. Absent: it may not.
   */
  readonly partiesOpenCrossPlay?: boolean;
}

/** Entry requirements: every player of a ticket must meet all of them. */
export interface EntryRules {
  /** The account is verified, by the game's login. */
  readonly verified?: true;
  /** Fewest minutes played, by the game's login. */
  readonly minPlayMinutes?: number;
  /** Fewest days since the account was created, by the game's login. */
  readonly minAccountDays?: number;
  /** Fewest matches rated in the queue's pool. */
  readonly minMatches?: number;
}

/** How long a player may not queue after an offence, and when offences are forgotten. */
export interface CoolDownRules {
  /** After the first offence, the second, and so on; never falling. The last one applies to all that follow. */
  readonly coolDownSeconds: readonly number[];
  /** An offence older than this no longer raises the next cool-down. At least the longest cool-down. */
  readonly forgiveAfterSeconds: number;
}

/** A player who declines, or does not answer, loses their ticket and cools down. */
export interface ReadyCheckRules extends CoolDownRules {
  /** How long players have to accept. */
  readonly seconds: number;
}

/** Rules of a server's request for players. */
export interface BackfillRules {
  /** How long a request stays open. */
  readonly seconds: number;
}

/** How far avoid-lists keep players apart. */
export interface AvoidRules {
  /** The newest entries of each list that count, 0 to 200; 0: none. */
  readonly entries: number;
}

/** Players of low behaviour score meet one another. */
export interface BehaviourRules {
  /** A ticket is of low score when the lowest score of its players (0 to 1) is below this. */
  readonly lowBelow: number;
  /** A low ticket that has waited this long may meet everybody; null: never. */
  readonly apartSeconds: number | null;
}

export interface SmallerTeams {
  readonly afterSeconds: number;
  readonly teamSize: number;
}

/** Empty places are filled with bots when a ticket of the match has waited. */
export interface BotFill {
  readonly afterSeconds: number;
  /** The level of one bot, in units of mu. */
  readonly skill: number;
  /** Fewest humans in the match. */
  readonly minPlayers: number;
}
