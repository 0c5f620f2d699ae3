import type { TicketPage, TicketView } from '@muster/contracts';
import { message } from '@muster/domain';
import { Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { ReadTickets } from '../core/read-tickets.js';
import { CancelTicket } from '../tickets/cancel-ticket.js';
import { TicketViews } from '../tickets/ticket.view.js';
import { ListTickets } from './list-tickets.js';

/** Tickets for operators. */
@Controller()
export class DeskController {
  constructor(
    @Inject(ListTickets) private readonly list: ListTickets,
    @Inject(ReadTickets) private readonly tickets: ReadTickets,
    @Inject(CancelTicket) private readonly cancelTicket: CancelTicket,
    @Inject(TicketViews) private readonly views: TicketViews,
  ) {}

  @Endpoint('listTickets')
  async find(@Sent() { query }: Sent<'listTickets'>): Promise<TicketPage> {
    const { tickets, next } = await this.list.run(query);
    return { tickets: tickets.map((record) => this.views.ticket(record, null)), next };
  }

  @Endpoint('cancelTicketAs')
  async cancel(@Sent() { params, body }: Sent<'cancelTicketAs'>): Promise<TicketView> {
    const why = message('ticket.ended-by-operator', { detail: body.reason });
    return this.views.ticket(await this.cancelTicket.byOperator(params.ticketId, why), null);
  }

  @Endpoint('readTicketOf')
  async ofPlayer(@Sent() { params: { playerId } }: Sent<'readTicketOf'>): Promise<TicketView> {
    return this.views.ticket(await this.tickets.of(playerId), null);
  }
}
