import type { Message } from '../messages/message.js';
import type { TicketAttributes } from '../tickets/ticket.js';

/**
 * `open` looks for players; `filled`: every seat is taken; `withdrawn` by its server, or its match is over; `expired`: it
 * timed out.
 */
export const backfillStates = ['open', 'filled', 'withdrawn', 'expired'] as const;
export type BackfillState = (typeof backfillStates)[number];

/** A server's request for players, to fill seats of a team that players left. */
export interface BackfillRequest {
  readonly backfillId: string;
  /** Fingerprint of the request: an idempotency key must not identify two different ones. */
  readonly fingerprint: string;
  readonly team: number;
  /** Players of the match who left for good: they are released at once. */
  readonly leavers: readonly string[];
  readonly seats: number;
}

/** A request as its server sees it. Times are milliseconds since the epoch. */
export interface BackfillView {
  readonly backfillId: string;
  readonly sessionId: string;
  readonly matchId: string;
  readonly team: number;
  /** Requested seats. */
  readonly seats: number;
  /** Seats that are still free. */
  readonly seatsLeft: number;
  readonly state: BackfillState;
  /** The players who took a seat. */
  readonly playerIds: readonly string[];
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export type BackfillResult =
  | { readonly outcome: 'open' | 'again'; readonly backfill: BackfillView }
  /** The backfill id identifies another request. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  /** The request is refused. */
  | { readonly outcome: 'refused'; readonly reason: readonly Message[] };

export type BackfillFound =
  | { readonly outcome: 'found'; readonly backfill: BackfillView }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'not-yours' };

/** A ticket that takes seats of a running match. */
export interface SeatFill {
  /** Identifies the claim of the ticket; the verdict on it is final. */
  readonly proposalId: string;
  readonly backfillId: string;
  readonly matchId: string;
  readonly ticketId: string;
  readonly team: number;
  readonly players: readonly {
    readonly playerId: string;
    readonly mu: number;
    readonly sigma: number;
    readonly role?: string | undefined;
  }[];
  readonly waitedMs: number;
  /** The document of the ticket for the server. */
  readonly attributes?: TicketAttributes | undefined;
}

export type FillResult =
  | { readonly outcome: 'filled' }
  /** This claim was decided before. */
  | { readonly outcome: 'decided'; readonly verdict: 'formed' | 'refused' }
  /** The seats are gone: taken, withdrawn, expired, or the match is over. */
  | { readonly outcome: 'gone' }
  /** Some players are in another live match, or were in this one. */
  | { readonly outcome: 'busy'; readonly playerIds: readonly string[] };
