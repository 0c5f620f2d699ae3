import type { SentOrder } from './live-session.js';
import type { FillResult, SeatFill } from './backfill.js';
import type { Message, Said } from './messages/message.js';
import type { SkillBelief } from './rating.js';

/** `formed → placed → ended → rated`, or `abandoned`, `void`. Each transition has one owner. */
export type MatchState = 'formed' | 'placed' | 'ended' | 'rated' | 'abandoned' | 'void';

/** A ticket as the matcher hands it on. */
export interface ProposedTicket {
  readonly ticketId: string;
  readonly playerIds: readonly string[];
  readonly enqueuedAt: number;
}

/** A player in a formed match, with what they counted for in the split: their rating, or the level that a newcomer was tried out at. */
export interface MatchPlayer extends SkillBelief {
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string | null;
  readonly waitedMs: number | null;
  /** What the team counts on them to play, where the rules demand roles and they fill one. */
  readonly role?: string | undefined;
  /** When they came into a match that was running, and by which backfill; milliseconds since the epoch. */
  readonly joinedAt?: number | undefined;
  readonly backfillId?: string | undefined;
  /** When their server said that they had left for good, to have somebody else come. */
  readonly leftAt?: number | undefined;
}

/** How good a split is known to be. */
export interface SplitCertificate {
  /** `proven`: no split is better by more than the rounding of the weights. `bounded`: none is better than `lowerBound`. */
  readonly status: 'proven' | 'bounded';
  /** What was minimised. */
  readonly value: number;
  readonly lowerBound: number;
  readonly gap: number;
  /** Where the bound comes from. */
  readonly reason: 'residue' | 'structural' | 'exhausted';
  /** Weights were rounded to multiples of this; 0 when none was changed. */
  readonly quantum: number;
  /** Why it is not proven, where it is not. */
  readonly stopped?: 'deadline' | 'memory' | 'size' | undefined;
}

/** How the teams were found, what was proven about them, and what was rejected. */
export interface SplitRecord {
  readonly method: string;
  /** Why this method, in words. */
  readonly because: string;
  readonly certificate: SplitCertificate;
  /** Team sums of the weights used, in team order. */
  readonly sums: readonly number[];
  /** Largest team sum less the smallest. */
  readonly difference: number;
  /** How many splits keep parties together, where that was counted. */
  readonly ways: number | null;
  /** Whether `rejected` is proven to be the best of the others. */
  readonly ranked: boolean;
  /** Steps of the solver's inner loops. */
  readonly operations: number;
  /** The best of the others, or null where there was none. */
  readonly rejected: {
    readonly teams: readonly (readonly string[])[];
    readonly sums: readonly number[];
    readonly difference: number;
  } | null;
}

/** A match as assignment stores it. */
export interface FormedMatch {
  readonly matchId: string;
  readonly queue: string;
  readonly pool: string;
  readonly build: string;
  /** Regions where every member is within the rules, best first; empty means any. */
  readonly regions: readonly string[];
  readonly rules: object;
  /** What is to be played on; null when the queue names no maps. */
  readonly map: string | null;
  /** How many places of each team bots take. */
  readonly bots: readonly number[];
  readonly split: SplitRecord;
  readonly why: readonly Message[];
  /** The chance of each team to win, adding up to 1. */
  readonly prediction: readonly number[];
  readonly players: readonly MatchPlayer[];
  readonly placementTimeoutSeconds: number;
  readonly proposedAt: number;
  readonly formedAt: number;
}

export type FormResult =
  | { readonly outcome: 'formed' }
  /** This proposal had its verdict before. */
  | { readonly outcome: 'decided'; readonly verdict: 'formed' | 'refused' }
  /** Some players are in another live match. */
  | { readonly outcome: 'busy'; readonly playerIds: readonly string[] };

/** What assignment keeps. Each method is one transaction with its outbox entries. */
export interface MatchStore {
  /** Stores the match, holds its players and promises to place it; or refuses, and then nothing is stored. */
  form(match: FormedMatch): Promise<FormResult>;
  /** Refuses a proposal for good, and promises to tell the queue. @returns the verdict in force, which may be `formed` */
  refuse(
    matchId: string,
    reason: Said,
    failedTicketIds: readonly string[],
    ticketIds: readonly string[],
  ): Promise<ProposalVerdict>;
  /** The verdict on a proposal; an undecided one is refused here and now, so that the answer stays true. */
  settle(matchId: string, reason: Said): Promise<ProposalVerdict>;
  /** Seats a ticket in a running match and promises to tell its server; or nothing is stored. */
  seat(taken: SeatFill, now: number): Promise<FillResult>;
  /** Formed matches older than this, for a reconciler that promises their placement again. */
  formedBefore(time: number, limit: number): Promise<string[]>;
}

export interface ProposalVerdict {
  readonly verdict: 'formed' | 'refused';
  readonly reason: Said | null;
  readonly failedTicketIds: readonly string[];
}

/** A match as operators and its players see it, without the ratings after it. Times are milliseconds since the epoch. */
export interface MatchStory {
  readonly matchId: string;
  readonly origin: 'queue' | 'reported';
  readonly externalId: string | null;
  readonly pool: string;
  readonly queue: string | null;
  readonly build: string | null;
  readonly state: MatchState;
  readonly closeReason: string | null;
  /** The messages of `closeReason`; absent when a release before wrote it. */
  readonly closeMessages?: readonly Message[] | undefined;
  readonly why: readonly string[];
  /** One for each sentence of `why`; absent when a release before wrote it. */
  readonly whyMessages?: readonly Message[] | undefined;
  readonly prediction: readonly number[];
  readonly ranks: readonly number[];
  readonly map: string | null;
  /** How many places of each team bots take; empty for a reported match. */
  readonly bots: readonly number[];
  /** A `SplitRecord` as it was stored, or null: a reported match was not split by us. */
  readonly split: unknown;
  readonly serverId: string | null;
  readonly sessionId: string | null;
  readonly region: string | null;
  readonly proposedAt: number | null;
  readonly formedAt: number | null;
  readonly placedAt: number | null;
  readonly endedAt: number | null;
  readonly closedAt: number | null;
  /** How many servers were asked. */
  readonly placements: number;
  readonly players: readonly MatchPlayer[];
  /** Who was told to change team while it was played. */
  readonly balance: readonly (SentOrder & { readonly at: number })[];
}

export interface MatchQuery {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  /** Where the page before ended. */
  readonly cursor?: { readonly at: number; readonly matchId: string } | undefined;
  readonly state?: MatchState | undefined;
  readonly pool?: string | undefined;
  readonly playerId?: string | undefined;
  /** Only matches that are over: those that ended at this time or later. They are listed by their end. */
  readonly from?: number | undefined;
  /** The same of those that ended before this time. */
  readonly to?: number | undefined;
}

/** Some matches, and where the next ones begin. */
export interface MatchList {
  readonly stories: readonly MatchStory[];
  /** Null when there are no more. */
  readonly next: { readonly at: number; readonly matchId: string } | null;
}

/** Reads matches, the spine of the house. */
export interface MatchHistory {
  find(matchId: string): Promise<MatchStory | null>;
  /** Matches by the time at which they were formed, or by their end where a range of that is asked for. */
  page(query: MatchQuery): Promise<MatchList>;
  /** The matches of a player, the newest first. Costs as many rows as there are on the page. */
  ofPlayer(playerId: string, limit: number, cursor?: MatchQuery['cursor']): Promise<MatchList>;
}
