import * as bans from '../http/queue/bans.js';
import * as parties from '../http/queue/parties.js';
import * as pauses from '../http/queue/pauses.js';
import * as penalties from '../http/queue/penalties.js';
import * as rules from '../http/queue/queue-rules.js';
import * as tickets from '../http/queue/tickets.js';
import { endpointsOf } from './endpoint.js';

/** What operators see of tickets, and do about them. */
export const deskEndpoints = endpointsOf('queue', {
  listTickets: {
    call: 'GET /v1/tickets',
    summary: 'List tickets by queue, state, player and age, in pages.',
    callers: ['operator'],
    role: 'viewer',
    query: tickets.PageOfTickets,
    answer: tickets.TicketPage,
    problems: ['queue-not-found', 'tickets-recovering'],
  },
  cancelTicketAs: {
    call: 'POST /v1/tickets/:ticketId/cancel',
    summary:
      'End a ticket that waits or is asked to accept a match, with a reason for its players. Idempotent.',
    callers: ['operator'],
    role: 'support',
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
  pauseQueue: {
    call: 'PUT /v1/queues/:queue/pause',
    summary: 'Pause a queue: it takes no tickets and forms no matches. Replaces its pause before.',
    callers: ['operator'],
    role: 'operator',
    params: rules.QueueParams,
    body: pauses.PauseQueue,
    answer: pauses.PausedQueue,
    problems: ['queue-not-found', 'time-past'],
  },
  resumeQueue: {
    call: 'DELETE /v1/queues/:queue/pause',
    summary: 'Resume a queue. Idempotent.',
    callers: ['operator'],
    role: 'operator',
    params: rules.QueueParams,
    answer: pauses.PausedQueue,
  },
  readMaintenance: {
    call: 'GET /v1/maintenance',
    summary: 'Read the maintenance that is announced or in force.',
    callers: ['anyone'],
    answer: pauses.MaintenanceView,
  },
  announceMaintenance: {
    call: 'PUT /v1/maintenance',
    summary: 'Pause all queues, now or from a time on. Replaces what was announced before.',
    callers: ['operator'],
    role: 'operator',
    body: pauses.AnnounceMaintenance,
    answer: pauses.MaintenanceView,
    problems: ['time-past'],
  },
  endMaintenance: {
    call: 'DELETE /v1/maintenance',
    summary: 'End maintenance, or withdraw its announcement. Idempotent.',
    callers: ['operator'],
    role: 'operator',
    answer: pauses.MaintenanceView,
  },
  listBans: {
    call: 'GET /v1/bans',
    summary: 'List the bans in force, in pages.',
    callers: ['operator'],
    role: 'viewer',
    query: bans.PageOfBans,
    answer: bans.BanPage,
  },
  banPlayer: {
    call: 'PUT /v1/players/:playerId/ban',
    summary:
      'Keep a player from every queue for a time, or change that. A ticket that waits ends with the reason.',
    callers: ['operator'],
    role: 'support',
    params: bans.BanParams,
    body: bans.BanPlayer,
    answer: bans.BanOfPlayer,
    problems: ['time-past', 'tickets-recovering'],
  },
  liftBan: {
    call: 'DELETE /v1/players/:playerId/ban',
    summary: 'Lift the ban of a player. Idempotent.',
    callers: ['operator'],
    role: 'support',
    params: bans.BanParams,
    answer: bans.BanOfPlayer,
  },
  forgivePenalties: {
    call: 'POST /v1/penalties/forgive',
    summary:
      'Forgive the penalties of a range of time, of a queue or a region: they no longer count. Idempotent.',
    callers: ['operator'],
    role: 'support',
    body: penalties.ForgivePenalties,
    answer: penalties.PenaltiesForgiven,
    problems: ['queue-not-found'],
  },
  readPartyOf: {
    call: 'GET /v1/players/:playerId/party',
    summary: 'Read the party of a player, and their invitations.',
    callers: ['operator'],
    role: 'viewer',
    params: penalties.PenalisedParams,
    answer: parties.MyPartyView,
  },
  readTicketOf: {
    call: 'GET /v1/players/:playerId/ticket',
    summary: 'Read the ticket that holds a player.',
    callers: ['operator'],
    role: 'viewer',
    params: penalties.PenalisedParams,
    answer: tickets.TicketView,
    problems: ['ticket-not-found', 'ticket-lost', 'tickets-recovering'],
  },
});
