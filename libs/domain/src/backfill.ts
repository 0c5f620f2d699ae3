import type { Message } from './messages/message.js';

/** `open` looks for players; `filled`: every seat is taken; `withdrawn` by its server, or its match is over; `expired`: its time is over. */
export const backfillStates = ['open', 'filled', 'withdrawn', 'expired'] as const;
export type BackfillState = (typeof backfillStates)[number];

/** What a server asks for: players for seats of a team that somebody left. */
export interface BackfillRequest {
  readonly backfillId: string;
  /** Fingerprint of the request, so that an idempotency key cannot stand for two different ones. */
  readonly fingerprint: string;
  readonly team: number;
  /** Players of the match who left for good: they are free at once. */
  readonly leavers: readonly string[];
  readonly seats: number;
}

/** A request as its server sees it. Times are milliseconds since the epoch. */
export interface BackfillView {
  readonly backfillId: string;
  readonly sessionId: string;
  readonly matchId: string;
  readonly team: number;
  /** Seats that were asked for. */
  readonly seats: number;
  /** Those of them that nobody has taken. */
  readonly seatsLeft: number;
  readonly state: BackfillState;
  /** Who took a seat. */
  readonly playerIds: readonly string[];
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export type BackfillResult =
  | { readonly outcome: 'open' | 'again'; readonly backfill: BackfillView }
  /** The backfill id stands for another request. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  /** It cannot be. */
  | { readonly outcome: 'refused'; readonly reason: readonly Message[] };

export type BackfillFound =
  | { readonly outcome: 'found'; readonly backfill: BackfillView }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'not-yours' };

/** Requests of servers for players. Each method is one transaction with its outbox entries. */
export interface BackfillStore {
  /**
   * Takes a request down and promises to look for players; leavers are free from then on.
   *
   * @param server the server that asks: it must host the session
   */
  request(
    sessionId: string,
    server: { readonly serverId: string; readonly incarnation: number },
    request: BackfillRequest,
    now: number,
  ): Promise<BackfillResult>;
  find(sessionId: string, backfillId: string, serverId: string): Promise<BackfillFound>;
  /** Nobody else is to come. One that is over already stays as it is. */
  withdraw(sessionId: string, backfillId: string, serverId: string, now: number): Promise<BackfillFound>;
  /** Ends requests whose time, or whose session, is over. @returns their ids */
  endOverdue(now: number, limit: number): Promise<string[]>;
  /** Takes back orders to let players in that no server has answered since: their tickets wait again. @returns the ids of their proposals */
  withdrawSeats(sentBefore: number, limit: number): Promise<string[]>;
  /** A ticket took seats: commands the server to let its players in, and promises to look for more while seats are left. @returns the server to wake, or null */
  seatFilled(
    taken: { readonly proposalId: string; readonly backfillId: string; readonly ticketId: string },
    now: number,
  ): Promise<string | null>;
}

/** Somebody who plays in a match with a seat to fill. */
export interface Seated {
  readonly playerId: string;
  /** What the player counted for when the match was made. */
  readonly mu: number;
  readonly role?: string | undefined;
}

/** A backfill as the matcher sees it. */
export interface OpenBackfill {
  readonly backfillId: string;
  readonly matchId: string;
  readonly queue: string;
  readonly build: string;
  readonly region: string;
  readonly map: string | null;
  readonly team: number;
  /** Seats that nobody has taken, 1 or more. They only become fewer. */
  readonly seats: number;
  /** Who still plays, by team. */
  readonly teams: readonly (readonly Seated[])[];
  /** Who was ever in the match: none of them comes back into it. */
  readonly everybody: readonly string[];
  /** The rules that the match was made by, as far as they matter to whoever joins it. */
  readonly rules: {
    readonly mode: string;
    readonly pool: string;
    readonly teams: number;
    readonly roles?: Readonly<Record<string, number>> | undefined;
    readonly teamGap: readonly { readonly afterSeconds: number; readonly limit: number | null }[];
    /** True for a match of tickets of low behaviour score. */
    readonly low?: boolean | undefined;
    /** The platforms that meet in it, as the matcher names them; absent where the rules keep none apart. */
    readonly platformGroup?: string | undefined;
    /** The platform of all its players, when one of its tickets plays without cross-play. It stays so for the whole match. */
    readonly onlyPlatform?: string | undefined;
  };
  readonly requestedAt: number;
  readonly expiresAt: number;
}

/** A ticket that takes seats of a running match. */
export interface SeatFill {
  /** What the claim of the ticket is known by; the verdict on it is final. */
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
}

export type FillResult =
  | { readonly outcome: 'filled' }
  /** This claim had its verdict before. */
  | { readonly outcome: 'decided'; readonly verdict: 'formed' | 'refused' }
  /** The seats are gone: taken, withdrawn, expired, or the match is over. */
  | { readonly outcome: 'gone' }
  /** Some players are in another live match, or were in this one. */
  | { readonly outcome: 'busy'; readonly playerIds: readonly string[] };
