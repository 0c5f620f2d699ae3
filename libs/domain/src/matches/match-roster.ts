import type { MatchState } from './match.js';

/** The players of a match, as the service that owns it reports them. */
export interface MatchRoster {
  readonly state: MatchState;
  /** Whether it ever had a server: one without was not played. */
  readonly placed: boolean;
  readonly players: readonly {
    readonly playerId: string;
    readonly team: number;
    /** null in a match that was played elsewhere. */
    readonly ticketId: string | null;
  }[];
}
