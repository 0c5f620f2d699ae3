import type { MatchOffence } from '../schemas/offences.js';
import type { OpenBackfill } from '../schemas/open-backfill.js';
import type {
  BackfillChange,
  Departure,
  NewBackfill,
  SeatOrder,
  TicketSeats,
} from '../backfill-life/changes.js';
import type { MatchState } from '../matches/match.js';
import type { Played } from '../ratings/rating-pool.js';
import type { SessionState } from '../servers/server.js';
import type { Message } from '../messages/index.js';
import type { Assignment } from '../tickets/ticket.js';
import type { Blamed } from './offences.js';
import type { Shortage, UnplacedMatch } from './place.js';

/**
 * The result of a request: the answer, the writes, and the jobs that are enqueued in the same transaction. Plain data. A
 * store loads the state under its locks, asks for the decision and writes it.
 */
export interface Decision<Outcome> {
  readonly outcome: Outcome;
  /** Null: the request changes nothing. */
  readonly changes: Changes | null;
  readonly jobs: readonly MatchJob[];
}

/** A decision that changes nothing. */
export function unchanged<Outcome>(outcome: Outcome): Decision<Outcome> {
  return { outcome, changes: null, jobs: [] };
}

/** All writes of one decision about one match. An absent field stays unchanged. Times are milliseconds since the epoch. */
export interface Changes {
  readonly matchId: string;
  readonly match?: MatchChange | undefined;
  readonly session?: SessionChange | undefined;
  /** The answer to a command. */
  readonly answered?: AnsweredCommand | undefined;
  /** A session whose command `create-session` is withdrawn, unless it is answered. */
  readonly withdrawnOrderOf?: string | undefined;
  /** A new command for a server. */
  readonly command?: NewCommand | undefined;
  /** The next attempt to place the match; `over`: it needs no server any more. */
  readonly placement?: NextAttempt | 'over' | undefined;
  /** True: the players of the match may join another one. */
  readonly freesPlayers?: boolean | undefined;
  /** The offences of the match from now on. */
  readonly blame?: readonly MatchOffence[] | undefined;
  /** The players of a ticket left the match. */
  readonly left?: { readonly ticketId: string; readonly at: number } | undefined;
  /** Players left the match, which continues. */
  readonly departed?: Departure | undefined;
  /** Players may leave the match, which continues. */
  readonly finished?: Departure | undefined;
  readonly backfillOpened?: NewBackfill | undefined;
  readonly backfill?: BackfillChange | undefined;
  /** Tickets that are removed from the match. */
  readonly unseated?: readonly TicketSeats[] | undefined;
  readonly result?: CountedResult | undefined;
  /** The effect of the match on the ratings is removed: the ledger records it, and the pool is rebuilt. */
  readonly takenOut?: TakenOut | undefined;
  /** A report that does not count and is stored for operators. */
  readonly conflict?: KeptReport | undefined;
}

/** When placement is attempted next. */
export interface NextAttempt {
  readonly dueAt: number;
  /** Attempts so far; unchanged when absent. */
  readonly attempts?: number | undefined;
  /** The shortage that the tickets were last notified of; unchanged when absent. */
  readonly shortage?: Shortage | undefined;
  /** The open regions of which they were; unchanged when absent. */
  readonly told?: UnplacedMatch['told'] | undefined;
}

/** A transition of the match's row, by compare-and-set. */
export type MatchChange = { readonly from: readonly MatchState[] } & (
  | {
      readonly to: 'placed';
      readonly sessionId: string;
      readonly serverId: string;
      readonly region: string;
      readonly placedAt: number;
    }
  | {
      /** Clears the time and the reason of an earlier end. */
      readonly to: 'ended';
      readonly endedAt: number;
      readonly ranks: readonly number[];
      readonly played: Played;
    }
  | { readonly to: 'abandoned' | 'void'; readonly closedAt: number; readonly reason: Message }
  | { readonly to: 'rated'; readonly closedAt: number }
);

/** A transition of a session's row, by compare-and-set. */
export type SessionChange = { readonly sessionId: string; readonly from: readonly SessionState[] } & (
  | { readonly to: 'live'; readonly host: string; readonly port: number; readonly liveAt: number }
  /** A session that is closed keeps its time. */
  | { readonly to: 'ended'; readonly closedAt: number }
  | {
      readonly to: 'abandoned' | 'refused' | 'unanswered' | 'lost';
      readonly closedAt: number;
      readonly reason: Message;
    }
);

export interface AnsweredCommand {
  readonly serverId: string;
  readonly seq: number;
  readonly state: 'done' | 'refused' | 'withdrawn';
}

export type NewCommand = { readonly serverId: string; readonly sessionId: string; readonly at: number } & (
  | { readonly kind: 'end-session'; readonly payload: { readonly reason: Message } }
  | { readonly kind: 'add-players'; readonly payload: SeatOrder }
);

export interface CountedResult {
  readonly sessionId: string;
  readonly digest: string;
  readonly body: object;
  readonly receivedAt: number;
}

export interface TakenOut {
  readonly pool: string;
  readonly by: string;
  /** The operator's words. */
  readonly detail: string;
  readonly at: number;
  /** The rebuild that is asked for, unless one of the pool is running. */
  readonly rebuild: { readonly rebuildId: string; readonly reason: Message };
}

export interface KeptReport {
  readonly reportedBy: string;
  readonly reason: Message;
  readonly digest: string;
  readonly body: object;
  readonly receivedAt: number;
}

/** A job that follows a decision. `@muster/contracts` maps each to its queue, id and payload. */
export type MatchJob =
  /** A server is searched for, or the match is rated. */
  | { readonly kind: 'place' | 'rate'; readonly matchId: string }
  /** Reports to the queue players who did not come or who left. */
  | {
      readonly kind: 'conduct';
      readonly matchId: string;
      readonly queue: string;
      readonly blamed: Blamed;
      readonly at: number;
    }
  /** The ground of penalties is gone, or too many players of the match are blamed: they do not count. */
  | {
      readonly kind: 'lift';
      readonly matchId: string;
      readonly queue: string;
      readonly offences: readonly MatchOffence[];
      readonly at: number;
      readonly why: Message;
    }
  /** The matcher looks for players for a running match, or for other ones than before. */
  | { readonly kind: 'wanted'; readonly backfill: OpenBackfill }
  /** The matcher looks for no more players. */
  | { readonly kind: 'closed'; readonly backfillId: string; readonly queue: string }
  /** A ticket took seats, and its server is to let it in. */
  | ({ readonly kind: 'seat-filled'; readonly proposalId: string } & TicketSeats)
  | ({ readonly kind: 'update' } & UpdateJob);

/** Reports the state of a match to its tickets. */
export interface UpdateJob {
  readonly matchId: string;
  readonly ticketIds: readonly string[];
  readonly reason: Message;
  readonly update: TicketUpdate;
}

/** How even a match of a queue is, and how long it was waited for. */
export interface MatchFigures {
  readonly queue: string;
  /** Between the sums of levels of the strongest and the weakest team. */
  readonly teamGap: number;
  /** The distance of the favourite's chance from ½; null unless there are two teams. */
  readonly favouriteLead: number | null;
  /** Of each ticket, from enqueuing to the proposal. */
  readonly waitsMs: readonly number[];
}

/** Where players connect. */
type Whereabouts = Omit<Assignment, 'matchId' | 'team'>;

export type TicketUpdate =
  | { readonly to: 'formed'; readonly figures?: MatchFigures }
  | { readonly to: 'placing' }
  | (Whereabouts & {
      readonly to: 'placed';
      readonly teams: readonly { readonly ticketId: string; readonly team: number }[];
    })
  /** A server lets the players of a ticket into a running match. */
  | (Whereabouts & {
      readonly to: 'joined';
      readonly proposalId: string;
      readonly ticketId: string;
      readonly team: number;
    })
  | ({
      readonly to: 'rated' | 'abandoned';
      /** The state of the match where `to` is not: it is void, or goes on without the players of these tickets. */
      readonly matchState?: 'placed' | 'void' | undefined;
    } & Ending)
  | ({
      readonly to: 'remade';
      readonly failedTicketIds: readonly string[];
      /** Those of them whose players left a match without a server. */
      readonly leftTicketIds?: readonly string[] | undefined;
      /**
       * Players who do not return. Only tickets without any other player fail then: `failedTicketIds` names all of theirs,
       * for the previous release.
       */
      readonly outPlayerIds?: readonly string[] | undefined;
      /** How long tickets that return may wait from now on; null or absent: as before. */
      readonly lifeSeconds?: number | null | undefined;
    } & Ending);

/** An update that ends a match for its tickets carries the offences of the match: players are penalised, then released. */
export interface Ending {
  readonly queue: string | null;
  readonly offences: readonly MatchOffence[];
}
