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

export interface MatchRosters {
  /**
   * @returns null when there is no such match
   * @throws MatchUnavailable when it cannot be read now
   */
  rosterOf(matchId: string): Promise<MatchRoster | null>;
}
