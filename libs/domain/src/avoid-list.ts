import type { Avoided } from './ticket.js';

/** Whom a player wants to be kept away from. */
export interface AvoidEntry extends Avoided {
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The avoid-lists of players. */
export interface AvoidStore {
  /** Puts somebody on a list, or changes the scope of one who is on it. @param limit entries of one list at the most */
  put(playerId: string, avoided: Avoided, limit: number, now: number): Promise<'put' | 'full'>;
  /** @returns whether they were on it */
  remove(playerId: string, avoidedId: string): Promise<boolean>;
  /** The newest first. */
  list(playerId: string): Promise<AvoidEntry[]>;
  /**
   * Whom each of these players avoids, and who avoids them: of the latter the newest only (see {@link newestAvoiders}), for
   * the others' own tickets say it as well once they queue. Whoever is not there avoids nobody and is avoided by nobody.
   */
  around(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly Avoided[]>>;
}

/** How many of those who avoid a player are told of: a ticket must not grow with how many dislike its players. */
export const newestAvoiders = 50;
