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

/** Most avoiders returned per player: the size of a ticket must not grow with their number. */
export const newestAvoiders = 50;
