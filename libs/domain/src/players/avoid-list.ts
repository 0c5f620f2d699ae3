import type { Avoided } from '../tickets/ticket.js';

/** An entry of a player's avoid-list. */
export interface AvoidEntry extends Avoided {
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** An entry of a list, as the ticket of one of the two players finds it. */
export interface AvoidedByList extends Avoided {
  /** Its place in the list of the player who made it, from 0, the newest. */
  readonly place: number;
}

/** The avoid-lists of players. */
export interface AvoidStore {
  /** Adds a player to a list, or changes the scope of an entry. @param limit most entries of one list */
  put(playerId: string, avoided: Avoided, limit: number, now: number): Promise<'put' | 'full'>;
  /** @returns whether the player was on the list */
  remove(playerId: string, avoidedId: string): Promise<boolean>;
  /** Newest first. */
  list(playerId: string): Promise<AvoidEntry[]>;
  /**
   * The players whom each of these players avoids, and who avoid them: of the latter the newest only (see {@link
   * newestAvoiders}), since the others' own tickets carry it once they queue. Players without entries are missing.
   */
  around(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly AvoidedByList[]>>;
}

/** Most avoiders returned per player: the size of a ticket must not grow with their number. */
export const newestAvoiders = 50;
