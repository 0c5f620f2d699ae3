import * as penalties from '../http/queue/penalties.js';
import * as tickets from '../http/queue/tickets.js';
import { endpointsOf } from './endpoint.js';

/** What operators see of tickets, and do about them. */
export const operatorEndpoints = endpointsOf('queue', {
  listTickets: {
    call: 'GET /v1/tickets',
    summary: 'List tickets by queue, state, player and age, in pages.',
    callers: ['operator'],
    query: tickets.PageOfTickets,
    answer: tickets.TicketPage,
    problems: ['queue-not-found', 'tickets-recovering'],
  },
  cancelTicketAs: {
    call: 'POST /v1/tickets/:ticketId/cancel',
    summary:
      'End a ticket that waits or is asked to accept a match, with a reason for its players. Idempotent.',
    callers: ['operator'],
    params: tickets.TicketParams,
    body: tickets.CancelTicketAs,
    answer: tickets.TicketView,
    problems: [
      'ticket-not-found',
      'ticket-lost',
      'tickets-recovering',
      'ticket-already-matched',
      'not-replicated',
    ],
  },
  readTicketOf: {
    call: 'GET /v1/players/:playerId/ticket',
    summary: 'Read the ticket that holds a player.',
    callers: ['operator'],
    params: penalties.PenalisedParams,
    answer: tickets.TicketView,
    problems: ['ticket-not-found', 'ticket-lost', 'tickets-recovering'],
  },
});
