import type { LiveTicket, TicketState } from '@muster/domain';

/** What the store of tickets knows of its own memory. */
export interface Memory {
  /**
   * `whole`: it agrees with the matches. `claimed`: it may not, and the caller restores it. `broken`: it may not, and
   * somebody else restores it.
   */
  readonly state: 'whole' | 'claimed' | 'broken';
  /** Whether it knows the tickets of all running matches, so that tickets may be created. */
  readonly isOpen: boolean;
  /** When it was last found that memory may be lost, milliseconds since the epoch; 0: never. */
  readonly lostAt: number;
  /** Identifies that loss. */
  readonly loss: string;
  /** Whether this look found that the database is another one than before, which is a loss as well. */
  readonly isOtherDatabase?: boolean;
}

/** `run`: the tickets of running matches are restored. `matching`: those of matches that are over are released. */
export type Step = 'run' | 'matching';

/** Which tickets of running matches are restored: those that are missing, or also those that are behind their match. */
export type Restored = 'missing' | 'all';

/** What became of a ticket that was restored. `other`: it is in another match there, `closed`: it has ended there. */
export type RestoreOutcome = 'created' | 'advanced' | 'there' | 'closed' | 'other';

/** A ticket that waits or is in a match. */
export interface OpenTicket {
  readonly ticketId: string;
  readonly state: Extract<TicketState, 'waiting' | 'placing' | 'assigned'>;
  readonly matchId: string | null;
  /** Its first player. */
  readonly playerId: string;
  readonly enqueuedAt: number;
}

/** The memory of the store of tickets. Every method is one atomic step and safe to repeat. */
export interface TicketMemory {
  /**
   * @param claimant would restore tickets; null: it only asks, and nothing is written
   * @param leaseMs until another one may
   * @param database the identity of the database that has the matches; null: not known
   */
  look(claimant: string | null, leaseMs: number, database?: string | null): Promise<Memory>;
  /**
   * A step is done: tickets may be created, or matched.
   *
   * @returns false when memory was lost again meanwhile
   */
  remember(loss: string, step: Step, queues: readonly string[]): Promise<boolean>;
  /** Brings a ticket to where its match is, and holds its players. */
  restore(ticket: LiveTicket, which: Restored): Promise<RestoreOutcome>;
  /**
   * Ends some open ready checks without blame: acceptances may be lost.
   *
   * @returns whether there may be more
   */
  dissolveReadyChecks(): Promise<boolean>;
  /**
   * Some open tickets. One that is open from the first call to the last is in at least one answer; some may come twice.
   *
   * @param cursor '0' at first, then that of the last answer, until it is '0' again
   */
  openTickets(cursor: string): Promise<{ cursor: string; tickets: OpenTicket[] }>;
}
