import type { TicketPage, TicketView } from '@muster/contracts';
import { message, type TicketRecord } from '@muster/domain';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { ReadTickets } from '../core/read-tickets.js';
import { CancelTicket } from '../tickets/cancel-ticket.js';
import { TicketStreams } from '../tickets/ticket-stream.view.js';
import { TicketViews } from '../tickets/ticket.view.js';
import { ListTickets } from './list-tickets.js';

/** How long a cancellation waits for a match that is being formed: several times what that takes. */
const formingMs = 4_000;

/** Tickets for operators. */
@Controller()
export class DeskController {
  constructor(
    @Inject(ListTickets) private readonly list: ListTickets,
    @Inject(ReadTickets) private readonly tickets: ReadTickets,
    @Inject(CancelTicket) private readonly cancelTicket: CancelTicket,
    @Inject(TicketViews) private readonly views: TicketViews,
    @Inject(TicketStreams) private readonly streams: TicketStreams,
  ) {}

  @Endpoint('listTickets')
  async find(@Sent() { query }: Sent<'listTickets'>): Promise<TicketPage> {
    const { tickets, next } = await this.list.run(query);
    return { tickets: tickets.map((record) => this.views.ticket(record, null)), next };
  }

  @Endpoint('cancelTicketAs')
  async cancel(@Sent() { params, body }: Sent<'cancelTicketAs'>): Promise<TicketView> {
    const why = message('ticket.ended-by-operator', { detail: body.reason });
    const settled = ({ ticketId, seq }: TicketRecord): Promise<void> =>
      this.streams.waitForEventAfter(ticketId, seq, formingMs, new AbortController().signal);
    return this.views.ticket(await this.cancelTicket.byOperator(params.ticketId, why, settled), null);
  }

  @Endpoint('readTicketOf')
  async ofPlayer(@Sent() { params: { playerId } }: Sent<'readTicketOf'>): Promise<TicketView> {
    return this.views.ticket(await this.tickets.of(playerId), null);
  }
}
