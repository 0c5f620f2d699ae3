import type { Ticket, TicketEvent, TicketStore } from '@muster/domain';
import type { RedisTicketStream } from '../core/ticket-stream.store.js';
import type { PostgresTicketEvents, TicketHappening } from './ticket-events.store.js';

/** Entries of the stream that are copied at once. */
const entriesAtOnce = 200;

/** Copies the stream of ticket events to the outbox of events. Tickets themselves wait for nothing of it. */
export class CopyTicketEvents {
  /** @param onGap called when events were gone before they were copied */
  constructor(
    private readonly store: Pick<PostgresTicketEvents, 'copy'>,
    private readonly stream: Pick<RedisTicketStream, 'after' | 'end'>,
    private readonly tickets: Pick<TicketStore, 'tickets'>,
    private readonly onGap: () => void,
  ) {}

  /** @returns whether there may be more */
  async turn(): Promise<boolean> {
    let isFull = false;
    await this.store.copy(async (place) => {
      // The first time: what happened before is of no interest.
      if (place === null) return { happenings: [], last: await this.stream.end() };
      const part = await this.stream.after(place, entriesAtOnce);
      isFull = part.isFull;
      if (part.isGap) this.onGap();
      const ids = [...new Set(part.events.map(({ ticketId }) => ticketId))];
      const known = new Map((await this.tickets.tickets(ids)).map((ticket) => [ticket.ticketId, ticket]));
      const happenings = part.events.map((event) => happeningOf(event, known.get(event.ticketId)));
      return { happenings, last: part.last };
    });
    return isFull;
  }
}

/** @param ticket absent: it ended more than an hour ago */
function happeningOf(event: TicketEvent, ticket: Ticket | undefined): TicketHappening {
  const { ticketId, seq, at, state, reason, matchId = null, matchState = null } = event;
  return {
    type: seq === 1 ? 'ticket.created' : `ticket.${state}`,
    order_key: `ticket ${ticketId}`,
    at: new Date(at),
    data: {
      ticketId,
      seq,
      state,
      reason,
      matchId,
      matchState,
      queue: ticket?.queue ?? null,
      players: ticket?.players.map(({ playerId }) => playerId) ?? [],
      enqueuedAt: ticket?.enqueuedAt ?? null,
      at,
    },
  };
}
