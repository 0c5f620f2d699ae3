import type { BoosterInUse } from '../ratings/booster.js';
import type { SentOrder } from './live-session.js';
import type { Message, Explanation } from '../messages/message.js';
import type { Played } from '../ratings/rating-pool.js';
import type { SkillBelief } from '../ratings/rating.js';
import type { RegionOpenings } from '../schemas/region-openings.js';
import type { SplitRecord } from '../schemas/split.js';
import type { TicketAttributes } from '../tickets/ticket.js';

/** `formed → placed → ended → rated`, or `abandoned`, `void`. Each transition has one owner. */
export const matchStates = ['formed', 'placed', 'ended', 'rated', 'abandoned', 'void'] as const;
export type MatchState = (typeof matchStates)[number];

/** @throws TypeError when no match can be in such a state */
export function matchStateOf(text: string): MatchState {
  const state = matchStates.find((each) => each === text);
  if (state === undefined) throw new TypeError(`a match is not ${text}`);
  return state;
}

/** A player in a formed match, with their level in the split: their rating, or a newcomer's probe. */
export interface MatchPlayer extends SkillBelief {
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string | null;
  readonly waitedMs: number | null;
  /** The role that the player fills, where the rules demand roles. */
  readonly role?: string | undefined;
  /** The booster with which they play in another division. */
  readonly booster?: BoosterInUse | undefined;
  /** The document of their ticket for the server; with the ticket's leader alone. */
  readonly attributes?: TicketAttributes | undefined;
  /** When they joined a running match, and by which backfill; milliseconds since the epoch. */
  readonly joinedAt?: number | undefined;
  readonly backfillId?: string | undefined;
  /** When their server reported that they had left for good, in a request for players. */
  readonly leftAt?: number | undefined;
}

/** A match as assignment stores it. */
export interface FormedMatch {
  readonly matchId: string;
  readonly queue: string;
  readonly pool: string;
  readonly build: string;
  /** Regions where every member was within the rules when they were matched, best first; empty means any. */
  readonly regions: readonly string[];
  /** Where it may be played by time; absent: a release before proposed it. */
  readonly openings?: RegionOpenings | undefined;
  readonly rules: object;
  /** The map to play; null when the queue names none. */
  readonly map: string | null;
  /** Places of each team that bots take. */
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
  /** This proposal was decided before. */
  | { readonly outcome: 'decided'; readonly verdict: 'formed' | 'refused' }
  /** Some players are in another live match. */
  | { readonly outcome: 'busy'; readonly playerIds: readonly string[] };

export interface ProposalVerdict {
  readonly verdict: 'formed' | 'refused';
  readonly reason: Explanation | null;
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
  /** The messages of `closeReason`; absent when the previous release wrote it. */
  readonly closeMessages?: readonly Message[] | undefined;
  readonly why: readonly string[];
  /** One for each sentence of `why`; absent when the previous release wrote it. */
  readonly whyMessages?: readonly Message[] | undefined;
  readonly prediction: readonly number[];
  readonly ranks: readonly number[];
  readonly map: string | null;
  /** Places of each team that bots take; empty for a reported match. */
  readonly bots: readonly number[];
  /** A `SplitRecord` as stored, or null: Muster did not split a reported match. */
  readonly split: unknown;
  readonly serverId: string | null;
  readonly sessionId: string | null;
  readonly region: string | null;
  readonly proposedAt: number | null;
  readonly formedAt: number | null;
  readonly placedAt: number | null;
  readonly endedAt: number | null;
  readonly closedAt: number | null;
  /** The number of servers that were asked. */
  readonly placements: number;
  /** Why the last of them was chosen; absent when none was asked, or the previous release asked it. */
  readonly serverWhy?: readonly Message[] | undefined;
  readonly players: readonly MatchPlayer[];
  /** What its server or reporter said of it; null before a result. */
  readonly played: Pick<Played, 'scores' | 'facts' | 'stats'> | null;
  /** Players who were ordered to change team while it was played. */
  readonly balance: readonly (SentOrder & { readonly at: number })[];
}

export interface MatchQuery {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  /** The end of the previous page. */
  readonly cursor?: { readonly at: number; readonly matchId: string } | undefined;
  readonly state?: MatchState | undefined;
  readonly pool?: string | undefined;
  readonly playerId?: string | undefined;
  readonly queue?: string | undefined;
  readonly serverId?: string | undefined;
  readonly region?: string | undefined;
  readonly map?: string | undefined;
  /** Only ended matches: those that ended at this time or later. They are listed by their end. */
  readonly from?: number | undefined;
  /** The same for those that ended before this time. */
  readonly to?: number | undefined;
}

/** Some matches, and the start of the next page. */
export interface MatchList {
  readonly stories: readonly MatchStory[];
  /** Null when there are no more. */
  readonly next: { readonly at: number; readonly matchId: string } | null;
}
