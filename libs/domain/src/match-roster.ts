import type { MatchState } from './match.js';

/** Who was in a match, as the service tells that owns it. */
export interface MatchRoster {
  readonly state: MatchState;
  /** Whether it ever had a server: one that had none was not played. */
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
   * @throws MatchUnavailable when it cannot be read right now
   */
  rosterOf(matchId: string): Promise<MatchRoster | null>;
}
