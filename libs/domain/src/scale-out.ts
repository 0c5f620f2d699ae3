import type { CapacityFacts, SpareSlots } from './capacity.js';
import type { ServerDemand } from './server-labels.js';

/**
 * Servers that are wanted: of this build, in one of these regions, too few slots are free. What is on its way already is
 * not part of it.
 */
export interface ServerShortage {
  readonly build: string;
  /** Regions where the players can play, the best for the longest waiting first; empty: anywhere. */
  readonly regions: readonly string[];
  /** Labels that the servers must have; absent: none. */
  readonly labels?: ServerDemand['labels'];
  /** Matches that wait for it; 0: spare slots alone are wanted. */
  readonly waitingMatches: number;
  /** Slots to start servers for, at least 1: those that are missing, less those on their way. */
  readonly slots: number;
  /** Servers that have these slots, if they are like the others of the build and region; at least 1. */
  readonly servers: number;
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

/** When servers are requested. */
export interface ScaleOutLimits {
  /** The minimum interval between requests for the same build and regions, in milliseconds. */
  readonly everyMs: number;
  /** The time from a request within which its servers register, in milliseconds. Until then they are on their way. */
  readonly startMs: number;
  /** The builds that may be requested; unless given, those of known servers. */
  readonly builds?: readonly string[] | undefined;
  readonly spares: SpareSlots;
}

/**
 * Shortages, the callers that request servers for them, and the messages to their tickets. Each method is one transaction.
 */
export interface ShortageStore {
  /** Whether matches wait for servers of which none were requested for a while. */
  hasShortages(limits: ScaleOutLimits, now: number): Promise<boolean>;
  /**
   * Claims shortages for which no request was made for a while: of all replicas, one gets each. Its slots count as on
   * their way from then on.
   *
   * Players choose builds, so not every build is requested.
   */
  claimShortages(limits: ScaleOutLimits, now: number): Promise<ServerShortage[]>;
  /**
   * Stores the result of a request, and enqueues the messages to the waiting tickets. Slots of a failed request are not
   * on their way any more.
   *
   * @param startMs the time from the request within which its servers register
   */
  settleShortage(shortage: ServerShortage, outcome: ScaleOutOutcome, startMs: number): Promise<void>;
  /** Counts slots and requests. It reads all servers in one statement: not more often than every few seconds. */
  countCapacity(limits: ScaleOutLimits, now: number): Promise<CapacityFacts>;
}
