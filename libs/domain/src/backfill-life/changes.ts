/** A request for players that is opened. Times are milliseconds since the epoch. */
export interface NewBackfill {
  readonly backfillId: string;
  readonly sessionId: string;
  readonly team: number;
  readonly seats: number;
  readonly fingerprint: string;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

/** The end of a request, by compare-and-set from `open`. Assignment writes which seats are taken. */
export interface BackfillChange {
  readonly backfillId: string;
  readonly to: 'withdrawn' | 'expired';
  readonly closedAt: number;
}

/** Players who left a match that goes on without them. They may join another one. */
export interface Departure {
  readonly playerIds: readonly string[];
  readonly at: number;
}

/** The seats of a ticket. */
export interface TicketSeats {
  readonly backfillId: string;
  readonly ticketId: string;
}

/** The payload of the command `add-players`. */
export interface SeatOrder extends TicketSeats {
  readonly proposalId: string;
  readonly team: number;
  readonly playerIds: readonly string[];
  /** Roles by player, of those who have one. */
  readonly roles: Readonly<Record<string, string>>;
}
