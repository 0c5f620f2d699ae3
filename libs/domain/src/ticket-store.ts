import type { OpenBackfill } from './backfill.js';
import { message, type Message, type Said } from './messages/message.js';
import type { Assignment, Ticket, TicketEvent, TicketMatchState, TicketRecord } from './ticket.js';

export type EnqueueResult =
  | { readonly outcome: 'created' }
  /** The same ticket id was handed in before (a repeat of the same request). */
  | { readonly outcome: 'existing' }
  /** The ticket id stands for another request. */
  | { readonly outcome: 'reused' }
  /** A player is held by another ticket. */
  | { readonly outcome: 'busy'; readonly playerId: string; readonly ticketId: string };

export type CancelResult =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'too-late'; readonly state: string };

/** What the players of a new ticket are told when there is no more to say. */
export const inTheQueue: readonly Message[] = [message('ticket.queued')];

/** A set of tickets that the matcher wants to make a match of. */
export interface Proposal {
  readonly matchId: string;
  readonly queue: string;
  readonly ticketIds: readonly string[];
  /** What the assignment service needs, kept so that a reconciler can send it again. */
  readonly job: string;
  /** Why these tickets, for their players. */
  readonly reason: Said;
  /** The version of the queue's rules that the match is made by; its tickets say so from then on. */
  readonly rulesVersion?: number;
  /** Present when every player must accept first. */
  readonly readyCheck?: ReadyCheck;
  /** Present when the ticket is to take a seat in a match that runs: claimed together with the backfill, or not at all. */
  readonly backfill?: { readonly backfillId: string; readonly matchId: string };
}

/** Every player of a proposal must accept before assignment hears of it. */
export interface ReadyCheck {
  readonly acceptBy: number;
  /** What the players are asked. */
  readonly reason: Said;
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
  /** The player's acceptance counts; others are waited for, or the match has gone on. */
  | { readonly outcome: 'accepted' }
  /** All have accepted, and assignment has not answered: the job is to be sent. Sending it twice does no harm. */
  | { readonly outcome: 'complete'; readonly matchId: string; readonly job: string }
  /** There is nothing to accept now. */
  | { readonly outcome: 'too-late'; readonly state: string }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'unknown' };

export type DeclineResult =
  | { readonly outcome: 'declined' }
  | { readonly outcome: 'too-late'; readonly state: string }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'unknown' };

/** A ready check whose time is over. */
export interface OverdueReadyCheck {
  readonly matchId: string;
  /** The tickets of it that somebody did not answer for. */
  readonly unanswered: readonly UnansweredTicket[];
}

export interface UnansweredTicket {
  readonly ticketId: string;
  readonly queue: string;
  /** Those of its players who did not accept. */
  readonly playerIds: readonly string[];
}

/** Players over whom a ready check fell apart, and who are still to be penalised for it. */
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
  /** A penalty for a ready check is still to be written. */
  readonly blamed: boolean;
}

/** What players are told when their match is called off. */
export interface RemakeWords {
  /** Who waits again. */
  readonly back: Said;
  /** Whose ticket ends. */
  readonly ended: Said;
  /** Whose players left the match, so that their ticket ends as cancelled. */
  readonly left: Said;
  /** Whose ticket ends because its time in the queue is over. */
  readonly late: Said;
}

/** A proposal whose lease ran out before assignment answered. */
export interface OverdueProposal {
  readonly matchId: string;
  readonly job: string;
}

/** A ticket came to wait in a queue's pool, or waits there no more. */
export type PoolChange =
  | { readonly joined: Ticket; readonly left?: undefined }
  /** `claimed`: by a match; else it was cancelled or has expired. */
  | { readonly left: string; readonly claimed: boolean; readonly joined?: undefined };

/** Changes of a pool, in order. They are numbered from 1 without gaps. */
export interface PoolChanges {
  readonly changes: readonly PoolChange[];
  /** The number of the newest change there is. */
  readonly newest: number;
  /** Some are no longer kept: the pool has to be read anew. */
  readonly lost: boolean;
}

/** How a ticket's waiting ended, or that it has not. `matched`: it was put into a match, whatever became of that. */
export const waitOutcomes = ['matched', 'cancelled', 'expired', 'waiting'] as const;
export type WaitOutcome = (typeof waitOutcomes)[number];

/** A ticket, and how its waiting went: what a queue's rules can be tried over. */
export interface RecordedTicket {
  readonly ticket: Ticket;
  readonly outcome: WaitOutcome;
  /** When it waited no more, milliseconds since the epoch; null while it waits. */
  readonly leftAt: number | null;
  /** The match that it was put into. */
  readonly matchId?: string;
}

/** @param leaving the first event after the ticket waited last; null while it waits */
export function recordOf(ticket: Ticket, leaving: TicketEvent | null): RecordedTicket {
  if (!leaving) return { ticket, outcome: 'waiting', leftAt: null };
  const { state, at, matchId } = leaving;
  if (state === 'cancelled' || state === 'expired') return { ticket, outcome: state, leftAt: at };
  return { ticket, outcome: 'matched', leftAt: at, ...(matchId === undefined ? {} : { matchId }) };
}

/** A matcher's right to propose for one queue. A late holder's epoch is refused. */
export interface Lease {
  readonly epoch: number;
  readonly expiresAt: number;
}

/**
 * Tickets and the waiting pool. Every method is one atomic step, and each may be repeated with the same ids without a
 * second effect, since a client may re-send a command after a reconnect. All times are milliseconds since the epoch.
 * Bound by one conformance suite (`@muster/testing`) for the Redis store and its in-memory twin.
 */
export interface TicketStore {
  /**
   * Creates the ticket in `waiting` and holds its players; all players or none.
   *
   * @param reason what its players are told first; {@link inTheQueue} unless told
   */
  enqueue(ticket: Ticket, now: number, reason?: Said): Promise<EnqueueResult>;
  /** Ends a waiting ticket. `cancelled` means that it was never assigned and never will be. */
  cancel(ticketId: string, reason: Said, now: number): Promise<CancelResult>;
  /** Ends the waiting tickets of a queue whose time has come. @returns the ids that ended now, at most `limit` */
  expire(queue: string, reason: Said, now: number, limit: number): Promise<string[]>;
  /** Takes or renews the matcher's lease. @returns null while another holds it */
  acquireLease(queue: string, holder: string, ttlMs: number, now: number): Promise<Lease | null>;
  /** Gives the lease back early, so that another need not wait for it to run out. */
  releaseLease(queue: string, holder: string): Promise<void>;
  /** Claims all tickets of a proposal, or none. With a ready check they go on to `accepting`. */
  propose(proposal: Proposal, epoch: number, leaseMs: number, now: number): Promise<ProposeResult>;
  /** Proposals whose lease ran out; each is leased again for `leaseMs`, so that one caller settles it. */
  overdueProposals(now: number, leaseMs: number, limit: number): Promise<OverdueProposal[]>;
  /**
   * A player accepts their match. While a ready check is open, it alone decides about its tickets; the last acceptance closes
   * it, and from then on assignment has `leaseMs` to answer, as for any proposal.
   *
   * @param everybody what all players are told when nobody is waited for any more
   */
  accept(
    ticketId: string,
    playerId: string,
    everybody: Said,
    leaseMs: number,
    now: number,
  ): Promise<AcceptResult>;
  /**
   * A player declines: their ticket ends as `cancelled`, the others of the match wait again at their old place.
   *
   * @param words what the players of the ticket that ends are told @param others what the others are told
   */
  decline(ticketId: string, playerId: string, words: Said, others: Said, now: number): Promise<DeclineResult>;
  /**
   * Ready checks whose time is over, the longest overdue first.
   *
   * @param deafMs above 0: the caller could not hear players until now. For so long none is overdue, and none is ended, by any
   *   replica; players may accept until then
   */
  overdueReadyChecks(now: number, limit: number, deafMs?: number): Promise<OverdueReadyCheck[]>;
  /**
   * Ends a ready check whose time is over: tickets that somebody did not answer for end as `cancelled`, the others wait again
   * at their old place. No effect on one that is decided, nor while players could not be heard lately.
   *
   * @param words what the players of a ticket that ends are told @param others what the others are told
   */
  endReadyCheck(matchId: string, words: ReadonlyMap<string, Said>, others: Said, now: number): Promise<void>;
  /** Who is still to be penalised for a ready check that fell apart, the oldest first. */
  blamed(limit: number): Promise<Blame[]>;
  /** Those to blame for this one are penalised. */
  forgetBlame(matchId: string): Promise<void>;
  /** The match exists: the proposal's tickets go on to `placing`. */
  confirm(matchId: string, ticketIds: readonly string[], reason: Said, now: number): Promise<void>;
  /** The proposal fell apart: `failed` tickets end, the others wait again at their old place. */
  release(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    reason: Said,
    now: number,
  ): Promise<void>;
  /** Says something new about tickets that are being placed. No effect on others. */
  note(matchId: string, ticketIds: readonly string[], reason: Said, now: number): Promise<void>;
  /** Hands a ticket of this match its assignment. The first one stays. */
  assign(ticketId: string, assignment: Assignment, reason: Said, now: number): Promise<void>;
  /** A ticket that was claimed for a backfill is in that match now, and gets its assignment. No effect on any other. */
  join(
    proposalId: string,
    ticketId: string,
    assignment: Assignment,
    reason: Said,
    now: number,
  ): Promise<void>;
  /** A running match wants players. No effect once it is known to have been closed, or to have fewer seats left. */
  openBackfill(backfill: OpenBackfill): Promise<void>;
  /** It wants nobody any more, for good. */
  closeBackfill(queue: string, backfillId: string): Promise<void>;
  /** Backfills of a queue that no ticket is claimed for, in no order. */
  openBackfills(queue: string): Promise<OpenBackfill[]>;
  /** The match is over: frees the players. `failed` when the match never came to a result. */
  close(
    matchId: string,
    ticketIds: readonly string[],
    matchState: TicketMatchState,
    reason: Said,
    now: number,
  ): Promise<void>;
  /**
   * The match is called off, and shall be made anew: tickets that `left` end as cancelled and `failed` ones as failed, the others
   * wait again at their old place. Those whose time in the queue is over end as well.
   */
  remake(
    matchId: string,
    ticketIds: readonly string[],
    failed: readonly string[],
    words: RemakeWords,
    now: number,
    left?: readonly string[],
  ): Promise<void>;
  find(ticketId: string): Promise<TicketRecord | null>;
  /** The ticket that holds a player now. */
  ticketOf(playerId: string): Promise<string | null>;
  /**
   * What keeps players from a new ticket right now. Players whom nothing keeps are left out. Penalties that are read after this are all
   * there are for tickets that ended before it: whoever frees a player for an offence writes the penalty first.
   */
  holdsOf(playerIds: readonly string[]): Promise<Hold[]>;
  /** A ticket's events with `seq` above `afterSeq`, in order. */
  eventsAfter(ticketId: string, afterSeq: number): Promise<TicketEvent[]>;
  /** Ids of the waiting tickets of a queue, who expires first first: with one time to live, the longest waiting. */
  waiting(queue: string, limit: number): Promise<string[]>;
  /** How a queue's pool changed after the change of this number, the first `limit` changes. */
  poolChanges(queue: string, after: number, limit: number): Promise<PoolChanges>;
  /**
   * Some of a queue's waiting tickets, about `count`. Whoever waits from the first call to the last is in one answer at least;
   * some may come twice.
   *
   * @param cursor '0' at first, then that of the last answer, until it is '0' again
   */
  scanPool(queue: string, cursor: string, count: number): Promise<{ cursor: string; tickets: Ticket[] }>;
  /**
   * Some of a queue's tickets that waited at some time since `since`: those that wait, and those that are still known (an hour
   * from their end). Whoever is known from the first call to the last is in one answer at least; some may come twice.
   *
   * @param since milliseconds since the epoch @param cursor as for `scanPool` @param count about how much is looked at
   */
  recorded(
    queue: string,
    since: number,
    cursor: string,
    count: number,
  ): Promise<{ cursor: string; tickets: RecordedTicket[] }>;
  /** What some tickets say; unknown ones are left out. */
  tickets(ticketIds: readonly string[]): Promise<Ticket[]>;
}

/** Hears of ticket events as they happen. A hint, not the truth: the truth is `eventsAfter`. */
export interface TicketFeed {
  /** @returns a function that ends the subscription */
  subscribe(ticketId: string, heard: (event: TicketEvent) => void): () => void;
}
