import type { MatchState } from '../matches/match.js';
import type { Assignment, TicketAttributes } from './ticket.js';

/** A ticket of a running match, as the match knows it. */
export interface LiveTicket {
  readonly ticketId: string;
  readonly matchId: string;
  readonly queue: string;
  readonly build: string;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** `isHeld`: the player is in the match and has not left it. */
  readonly players: readonly {
    readonly playerId: string;
    readonly mu: number;
    readonly sigma: number;
    readonly isHeld: boolean;
  }[];
  /** null: the match has no server yet. */
  readonly assignment: Assignment | null;
  /** The document for the server; null: none. */
  readonly attributes: TicketAttributes | null;
}

/** Tickets of some running matches. */
export interface LivePage {
  readonly tickets: readonly LiveTicket[];
  /** The last match of the page; null: the page is empty, and no more follow. */
  readonly last: string | null;
}

/** A ticket as a store of tickets knows it. */
export interface AskedTicket {
  readonly ticketId: string;
  /** One of its players. */
  readonly playerId: string;
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
}

/** The last match that a ticket was in. */
export interface JudgedTicket {
  readonly ticketId: string;
  readonly matchId: string;
  readonly state: MatchState;
  /** When the match was rated, abandoned or declared void, milliseconds since the epoch; null: it is not over. */
  readonly closedAt: number | null;
}
