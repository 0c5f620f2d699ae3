import type { OpenBackfill } from '../schemas/open-backfill.js';
import type { MatchFigures } from '../match-life/decision.js';
import { message, type Message, type Explanation } from '../messages/message.js';
import type {
  Assignment,
  Ticket,
  TicketEvent,
  TicketMatchState,
  TicketPlayer,
  TicketRecord,
} from './ticket.js';

export type EnqueueResult =
  | { readonly outcome: 'created' }
  /** The ticket id was submitted before, with the same request. */
  | { readonly outcome: 'existing' }
  /** The ticket id identifies another request. */
  | { readonly outcome: 'reused' }
  /** Another ticket holds a player. */
  | { readonly outcome: 'busy'; readonly playerId: string; readonly ticketId: string };

export type CancelResult =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'too-late'; readonly state: string };

/** The default message to the players of a new ticket. */
export const inTheQueue: readonly Message[] = [message('ticket.queued')];

/** A set of tickets that the matcher proposes as a match. */
export interface Proposal {
  readonly matchId: string;
  readonly queue: string;
  readonly ticketIds: readonly string[];
  /** The payload for the assignment service, stored so that a reconciler can send it again. */
  readonly job: string;
  /** Why these tickets, for their players. */
  readonly reason: Explanation;
  /** The rules version of the match; its tickets show it from then on. */
  readonly rulesVersion?: number;
  /** Present when every player must accept first. */
  readonly readyCheck?: ReadyCheck;
  /** Present when the ticket takes a seat in a running match: claimed together with the backfill, or not at all. */
  readonly backfill?: { readonly backfillId: string; readonly matchId: string };
}

/** Every player of a proposal must accept before it is sent to assignment. */
export interface ReadyCheck {
  readonly acceptBy: number;
  /** The message to the players. */
  readonly reason: Explanation;
}

export type ProposeResult =
  | { readonly outcome: 'claimed' }
  /** The caller no longer holds the matcher's lease: another epoch is in force. */
  | { readonly outcome: 'stale-epoch' }
  /** One ticket is no longer waiting, so none was claimed. */
  | { readonly outcome: 'gone'; readonly ticketId: string }
  /** The backfill is closed, or claimed for another ticket. */
  | { readonly outcome: 'taken' };

export type AcceptResult =
  /** The acceptance counts; other answers are missing, or the match has moved on. */
  | { readonly outcome: 'accepted' }
  /** All have accepted, and assignment has not answered: send the job. Sending it twice is harmless. */
  | { readonly outcome: 'complete'; readonly matchId: string; readonly job: string }
  /** Nothing can be accepted now. */
  | { readonly outcome: 'too-late'; readonly state: string }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'unknown' };

export type DeclineResult =
  | { readonly outcome: 'declined' }
  | { readonly outcome: 'too-late'; readonly state: string }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'unknown' };

/** A ready check after its deadline. */
export interface OverdueReadyCheck {
  readonly matchId: string;
  /** The number of its players. */
  readonly asked: number;
  /** Its tickets with an unanswered player. */
  readonly unanswered: readonly UnansweredTicket[];
}

export interface UnansweredTicket {
  readonly ticketId: string;
  readonly queue: string;
  /** Their players who did not accept. */
  readonly playerIds: readonly string[];
}

/** Players to blame for a failed ready check, with pending penalties. */
export interface Blame {
  readonly matchId: string;
  readonly queue: string;
  readonly playerIds: readonly string[];
  readonly at: number;
}

/** What keeps a player from a new ticket. */
export interface Hold {
  readonly playerId: string;
  /** The ticket that holds the player; null: none does. */
  readonly ticketId: string | null;
  /** A penalty for a ready check is pending. */
  readonly blamed: boolean;
}

/** The messages to players when their match is cancelled. */
export interface RemakeReasons {
  /** For tickets that return to the queue. */
  readonly back: Explanation;
  /** For tickets that end. */
  readonly ended: Explanation;
  /** For tickets whose players left the match, which end as cancelled. */
  readonly left: Explanation;
  /** For tickets that end because they expired. */
  readonly late: Explanation;
}

/** How tickets of a cancelled match return to the queue. */
export interface Remaking {
  /** Those of the failed tickets whose players left the match. */
  readonly left?: readonly string[];
  /** Players who do not return: the others of their tickets do, and the first of them leads the ticket. */
  readonly out?: readonly string[];
  /** Milliseconds since the epoch: tickets that return expire no earlier. */
  readonly expiresAt?: number;
}

/** A proposal whose lease expired before assignment answered. */
export interface OverdueProposal {
  readonly matchId: string;
  readonly job: string;
}

/** A ticket entered a queue's pool, or left it. */
export type PoolChange =
  | { readonly joined: Ticket; readonly left?: undefined }
  /** `claimed`: by a match; else it was cancelled or has expired. */
  | { readonly left: string; readonly claimed: boolean; readonly joined?: undefined };

/** Changes of a pool, in order. They are numbered from 1 without gaps. */
export interface PoolChanges {
  readonly changes: readonly PoolChange[];
  /** The number of the newest change. */
  readonly newest: number;
  /** Some are no longer stored: the pool has to be read as a whole. */
  readonly lost: boolean;
}

/** How a ticket's waiting ended, or that it has not. `matched`: it was claimed for a match, whatever the outcome. */
export const waitOutcomes = ['matched', 'cancelled', 'expired', 'waiting'] as const;
export type WaitOutcome = (typeof waitOutcomes)[number];

/** A ticket, and how it waited: input for trying a queue's rules. */
export interface RecordedTicket {
  readonly ticket: Ticket;
  readonly outcome: WaitOutcome;
  /** When it stopped waiting, milliseconds since the epoch; null while it waits. */
  readonly leftAt: number | null;
  /** The match that claimed it. */
  readonly matchId?: string;
}

/** @param leaving the first event after the ticket last waited; null while it waits */
export function recordOf(ticket: Ticket, leaving: TicketEvent | null): RecordedTicket {
  if (!leaving) return { ticket, outcome: 'waiting', leftAt: null };
  const { state, at, matchId } = leaving;
  if (state === 'cancelled' || state === 'expired') return { ticket, outcome: state, leftAt: at };
  return { ticket, outcome: 'matched', leftAt: at, ...(matchId === undefined ? {} : { matchId }) };
}

/** A matcher's lease to propose for one queue. An older epoch is refused. */
export interface Lease {
  readonly epoch: number;
  readonly expiresAt: number;
}

/**
 * Tickets and the waiting pool. Every method is one atomic step and idempotent for the same ids, since a client may re-send
 * a command after a reconnect. All times are milliseconds since the epoch. The Redis store and its in-memory twin pass one
 * conformance suite (`@muster/testing`).
 */
export interface TicketStore {
  /**
   * Creates the ticket in `waiting` and holds its players; all players or none.
   *
   * @param reason the first message to its players; {@link inTheQueue} by default
   */
  enqueue(ticket: Ticket, now: number, reason?: Explanation): Promise<EnqueueResult>;
  /** Ends a waiting ticket. `cancelled` means that it was never assigned and never will be. */
  cancel(ticketId: string, reason: Explanation, now: number): Promise<CancelResult>;
  /**
   * Ends a waiting ticket, or one whose ready check is open, and blames nobody: the others of its match return to the queue.
   *
   * @param others the message to the others
   */
  withdraw(ticketId: string, reason: Explanation, others: Explanation, now: number): Promise<CancelResult>;
  /** Ends the expired waiting tickets of a queue. @returns the ids that ended now, at most `limit` */
  expire(queue: string, reason: Explanation, now: number, limit: number): Promise<string[]>;
  /** Acquires or renews the matcher's lease. @returns null while another holds it */
  acquireLease(queue: string, holder: string, ttlMs: number, now: number): Promise<Lease | null>;
  /** Releases the lease early, so that another matcher need not wait for it to expire. */
  releaseLease(queue: string, holder: string): Promise<void>;
  /** Claims all tickets of a proposal, or none. With a ready check they move to `accepting`. */
  propose(proposal: Proposal, epoch: number, leaseMs: number, now: number): Promise<ProposeResult>;
  /** Proposals whose lease expired; each is leased again for `leaseMs`, so that one caller settles it. */
  overdueProposals(now: number, leaseMs: number, limit: number): Promise<OverdueProposal[]>;
  /**
   * A player accepts their match. While a ready check is open, it alone decides about its tickets; the last acceptance
   * closes it, and from then on assignment has `leaseMs` to answer, as for any proposal.
   *
   * @param everybody the message to all players once all have accepted
   */
  accept(
    ticketId: string,
    playerId: string,
    everybody: Explanation,
    leaseMs: number,
    now: number,
  ): Promise<AcceptResult>;
  /**
   * A player declines: their ticket ends as `cancelled`, the others of the match return to the queue with their enqueue
   * times.
   *
   * @param words the message to the players of the ticket that ends @param others the message to the others
   */
  decline(
    ticketId: string,
    playerId: string,
    words: Explanation,
    others: Explanation,
    now: number,
  ): Promise<DeclineResult>;
  /**
   * Ready checks after their deadline, the longest overdue first.
   *
   * @param deafMs above 0: the caller had an outage until now. For this long none is overdue, and no replica ends one;
   *   players may accept until then
   */
  overdueReadyChecks(now: number, limit: number, deafMs?: number): Promise<OverdueReadyCheck[]>;
  /**
   * Ends an overdue ready check: tickets with an unanswered player end as `cancelled`, the others return to the queue with
   * their enqueue times. No effect on a decided one, nor during the grace period after an outage.
   *
   * @param words the message to the players of a ticket that ends @param others the message to the others
   * @param excused whether the silent players have no penalty pending afterwards
   */
  endReadyCheck(
    matchId: string,
    words: ReadonlyMap<string, Explanation>,
    others: Explanation,
    now: number,
    excused?: boolean,
  ): Promise<void>;
  /** Players with pending penalties for failed ready checks, oldest first. */
  blamed(limit: number): Promise<Blame[]>;
  /** Removes the blame of a match once its penalties are written. */
  forgetBlame(matchId: string): Promise<void>;
  /** The match exists: the proposal's tickets move to `placing`. @param figures counted once a match */
  confirm(
    matchId: string,
    ticketIds: readonly string[],
    reason: Explanation,
    now: number,
    figures?: MatchFigures,
  ): Promise<void>;
  /** The proposal was refused: `failed` tickets end, the others return to the queue with their enqueue times. */
  release(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    reason: Explanation,
    now: number,
  ): Promise<void>;
  /**
   * Replaces the levels of a ticket's players, so that its queue matches it by them. Its place in the queue stays, and its
   * players are not told.
   *
   * @param ticket as it was read @param players in the same order
   * @returns `changed` when it differs from the one that was read; `closed` when it has ended
   */
  relevel(ticket: Ticket, players: readonly TicketPlayer[]): Promise<'relevelled' | 'closed' | 'changed'>;
  /** Writes a new reason to tickets that are being placed. No effect on others. */
  note(matchId: string, ticketIds: readonly string[], reason: Explanation, now: number): Promise<void>;
  /**
   * Sets the assignment of a ticket of this match. The first one stays.
   *
   * @returns where the ticket was queued and since when; null when this call had no effect
   */
  assign(
    ticketId: string,
    assignment: Assignment,
    reason: Explanation,
    now: number,
  ): Promise<Pick<Ticket, 'queue' | 'enqueuedAt'> | null>;
  /** Moves a ticket that was claimed for a backfill into the match, and sets its assignment. No effect on any other. */
  join(
    proposalId: string,
    ticketId: string,
    assignment: Assignment,
    reason: Explanation,
    now: number,
  ): Promise<void>;
  /** Opens a backfill. No effect once it is known to have been closed, or to have fewer seats left. */
  openBackfill(backfill: OpenBackfill): Promise<void>;
  /** Closes a backfill for good. */
  closeBackfill(queue: string, backfillId: string): Promise<void>;
  /** Unclaimed backfills of a queue, unordered. */
  openBackfills(queue: string): Promise<OpenBackfill[]>;
  /**
   * The match is over for these tickets: releases their players.
   *
   * @param state `failed` when the match has no result, or goes on without them; by default only an abandoned one has none
   */
  close(
    matchId: string,
    ticketIds: readonly string[],
    matchState: TicketMatchState,
    reason: Explanation,
    now: number,
    state?: 'assigned' | 'failed',
  ): Promise<void>;
  /**
   * The match is cancelled and has to be formed again: `left` tickets end as cancelled, `failed` ones and those of which
   * all players are out as failed, the others return to the queue with their enqueue times. Expired ones end as well.
   */
  remake(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    words: RemakeReasons,
    now: number,
    how?: Remaking,
  ): Promise<void>;
  find(ticketId: string): Promise<TicketRecord | null>;
  /** The ticket that holds a player now. */
  ticketOf(playerId: string): Promise<string | null>;
  /**
   * What keeps players from a new ticket now. Players without an obstacle are missing. Penalties read after this call
   * include all of tickets that ended before it: a caller that releases a player for an offence writes the penalty first.
   */
  holdsOf(playerIds: readonly string[]): Promise<Hold[]>;
  /** A ticket's events with `seq` above `afterSeq`, in order. */
  eventsAfter(ticketId: string, afterSeq: number): Promise<TicketEvent[]>;
  /** Ids of the waiting tickets of a queue, earliest expiry first: with equal lifetimes, the longest waiting. */
  waiting(queue: string, limit: number): Promise<string[]>;
  /** The changes of a queue's pool after a change number, the first `limit` ones. */
  poolChanges(queue: string, after: number, limit: number): Promise<PoolChanges>;
  /**
   * Some of a queue's waiting tickets, about `count`. A ticket that waits from the first call to the last is in at least
   * one answer; some may come twice.
   *
   * @param cursor '0' at first, then that of the last answer, until it is '0' again
   */
  scanPool(queue: string, cursor: string, count: number): Promise<{ cursor: string; tickets: Ticket[] }>;
  /**
   * Some of a queue's tickets that waited at some time since `since`: waiting ones, and ended ones that are still stored
   * (an hour from their end). A ticket stored from the first call to the last is in at least one answer; some may come
   * twice.
   *
   * @param since milliseconds since the epoch @param cursor as for `scanPool` @param count approximate number of keys to
   *   scan
   */
  recorded(
    queue: string,
    since: number,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; tickets: RecordedTicket[] }>;
  /** The content of some tickets; unknown ones are missing. */
  tickets(ticketIds: readonly string[]): Promise<Ticket[]>;
}
