/** Servers that matches wait for: of this build, in one of these regions, none has a free slot. */
export interface ServerShortage {
  readonly build: string;
  /** Regions where the players can play, the best for the longest waiting first; empty: anywhere. */
  readonly regions: readonly string[];
  readonly waitingMatches: number;
  /** When this was found, milliseconds since the epoch. */
  readonly at: number;
}

/** Starts dedicated servers, or asks a service that does. */
export interface FleetScaler {
  /**
   * Requests servers. It has to answer soon: a slow request times out.
   *
   * @throws Error with the cause when the request failed or was refused
   */
  ask(shortage: ServerShortage): Promise<void>;
}

/** The result of a request. */
export type ScaleOutOutcome = 'starting' | 'failed';

/**
 * Shortages, the callers that request servers for them, and the messages to their tickets. Each method is one transaction.
 */
export interface ShortageStore {
  /**
   * Claims shortages for which no request was made for a while: of all replicas, one gets each.
   *
   * Players choose builds, so not every build is requested.
   *
   * @param everyMs how long no further request is made for them
   * @param builds the allowed builds; unless given, those of known servers
   */
  claimShortages(everyMs: number, now: number, builds?: readonly string[]): Promise<ServerShortage[]>;
  /** Stores the result of a request, and enqueues the messages to the waiting tickets. */
  settleShortage(shortage: ServerShortage, outcome: ScaleOutOutcome): Promise<void>;
}
