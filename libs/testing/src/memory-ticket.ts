import type { Ticket, TicketEvent } from '@muster/domain';

/** A ticket and its log. Its last event has its state. */
export interface Entry {
  ticket: Ticket;
  readonly events: TicketEvent[];
  /** Its players who accepted the match that it is in. */
  accepted: readonly string[];
  closed: boolean;
  /** The rules version of its latest match. */
  rulesVersion?: number;
}

/** The changes of an event to the previous one. */
export type Change = Partial<Pick<TicketEvent, 'matchId' | 'matchState' | 'assignment' | 'acceptBy'>>;

/** The state of a ticket: its last event. */
export function standing(entry: Entry): TicketEvent {
  const last = entry.events.at(-1);
  if (!last) throw new Error(`ticket ${entry.ticket.ticketId} has no events`);
  return last;
}

/** Whether it awaits the verdict of assignment on its match, or answers of its players. */
export function isProposed(entry: Entry): boolean {
  const { state } = standing(entry);
  return state === 'proposed' || state === 'accepting';
}

export function hasPlayer(ticket: Ticket, playerId: string): boolean {
  return ticket.players.some((player) => player.playerId === playerId);
}

/** The players of a ticket who did not accept its match. */
export function unansweredOf({ ticket, accepted }: Entry): string[] {
  return ticket.players.map((player) => player.playerId).filter((id) => !accepted.includes(id));
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function byId(a: Entry, b: Entry): number {
  return compare(a.ticket.ticketId, b.ticket.ticketId);
}
