import type { SpareSlots } from './capacity.js';
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
