/** Servers that matches wait for: of this build, in one of these regions, none has a free slot. */
export interface ServerShortage {
  readonly build: string;
  /** Where the players can play, the best for those who have waited longest first; empty: anywhere. */
  readonly regions: readonly string[];
  readonly waitingMatches: number;
  /** When this was found, milliseconds since the epoch. */
  readonly at: number;
}

/** Starts dedicated servers, or knows who does. */
export interface FleetScaler {
  /**
   * Asks for servers. It answers soon: who takes longer is given up.
   *
   * @throws Error with what went wrong when nobody could be asked, or the answer was no
   */
  ask(shortage: ServerShortage): Promise<void>;
}

/** What came of asking. */
export type ScaleOutOutcome = 'starting' | 'failed';

/** Which shortages there are, who asks about them, and what their tickets are told. Each method is one transaction. */
export interface ShortageStore {
  /**
   * Shortages that nobody has asked about for a while. They are the caller's to ask about: of all replicas, one gets each.
   *
   * Players name builds, so not every build is asked for.
   *
   * @param everyMs how long nobody asks about them again
   * @param builds those that may be asked for; unless given, those of servers that are known
   */
  claimShortages(everyMs: number, now: number, builds?: readonly string[]): Promise<ServerShortage[]>;
  /** Keeps what came of asking, and promises to tell the tickets of those who wait. */
  settleShortage(shortage: ServerShortage, outcome: ScaleOutOutcome): Promise<void>;
}
