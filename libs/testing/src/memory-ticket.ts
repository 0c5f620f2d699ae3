import type { Ticket, TicketEvent } from '@muster/domain';

/** A ticket and its log. Where it stands is what its last event says. */
export interface Entry {
  readonly ticket: Ticket;
  readonly events: TicketEvent[];
  /** Those of its players who accepted the match that it is in. */
  accepted: readonly string[];
  closed: boolean;
  /** The version of the rules that its latest match was made by. */
  rulesVersion?: number;
}

/** What an event changes of what the one before said. */
export type Change = Partial<Pick<TicketEvent, 'matchId' | 'matchState' | 'assignment' | 'acceptBy'>>;

/** Where a ticket stands: its last event. */
export function standing(entry: Entry): TicketEvent {
  const last = entry.events.at(-1);
  if (!last) throw new Error(`ticket ${entry.ticket.ticketId} has no events`);
  return last;
}

/** Whether it waits for the word of assignment on its match, or of its players. */
export function isProposed(entry: Entry): boolean {
  const { state } = standing(entry);
  return state === 'proposed' || state === 'accepting';
}

export function hasPlayer(ticket: Ticket, playerId: string): boolean {
  return ticket.players.some((player) => player.playerId === playerId);
}

/** Those of a ticket's players who did not accept its match. */
export function unansweredOf({ ticket, accepted }: Entry): string[] {
  return ticket.players.map((player) => player.playerId).filter((id) => !accepted.includes(id));
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function byId(a: Entry, b: Entry): number {
  return compare(a.ticket.ticketId, b.ticket.ticketId);
}
