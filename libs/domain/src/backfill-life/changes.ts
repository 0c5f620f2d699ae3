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

/** A step of a backfill's row, by compare-and-set from `open`. */
export type BackfillChange = { readonly backfillId: string } & (
  | { readonly to: 'withdrawn' | 'expired'; readonly closedAt: number }
  /** Seats are taken. A backfill without seats left is `filled` and closed. */
  | { readonly to: 'open' | 'filled'; readonly seatsLeft: number; readonly closedAt: number | null }
);

/** Players who left a match that goes on without them. They may join another one. */
export interface Departure {
  readonly playerIds: readonly string[];
  readonly at: number;
}

/** The players of a ticket come into a running match and are held by it. */
export interface NewSeats {
  readonly backfillId: string;
  readonly ticketId: string;
  readonly team: number;
  readonly waitedMs: number;
  readonly joinedAt: number;
  readonly players: readonly {
    readonly playerId: string;
    readonly mu: number;
    readonly sigma: number;
    readonly role: string | null;
  }[];
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
