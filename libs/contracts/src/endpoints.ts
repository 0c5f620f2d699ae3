import type { z } from 'zod';
import * as matches from './http/matches.js';
import * as ratings from './http/ratings.js';
import * as servers from './http/servers.js';
import * as teams from './http/teams.js';
import * as tickets from './http/tickets.js';
import type { ProblemCode } from './problems.js';

/** Who may call: `player` by a signed token, `server` by its own token, `fleet` by the server key, `operator` by the operator key. */
export type Caller = 'player' | 'server' | 'fleet' | 'operator' | 'anyone';
export type Service = 'queue' | 'assignment' | 'allocator' | 'rating';

export interface Endpoint {
  readonly service: Service;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly callers: readonly Caller[];
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly status: number;
  readonly answer?: z.ZodType;
  /** Set when the answer is not JSON. */
  readonly answerType?: string;
  readonly problems: readonly ProblemCode[];
}

/** Every HTTP call there is: controllers, the edge, the OpenAPI document and the SDK are all made from this table. */
export const endpoints = {
  createTicket: {
    service: 'queue',
    method: 'POST',
    path: '/v1/tickets',
    summary: 'Queue up, alone or as the leader of a party. Send an Idempotency-Key to repeat safely.',
    callers: ['player'],
    body: tickets.CreateTicket,
    status: 201,
    answer: tickets.TicketView,
    problems: [
      'queue-not-found',
      'player-already-queued',
      'player-twice',
      'party-too-large',
      'party-pass-refused',
      'idempotency-key-reused',
      'rating-unavailable',
    ],
  },
  readTicket: {
    service: 'queue',
    method: 'GET',
    path: '/v1/tickets/:ticketId',
    summary: 'Read your ticket; with `after` and `waitSeconds`, wait for its next state (long poll).',
    callers: ['player', 'operator'],
    params: tickets.TicketParams,
    query: tickets.WaitForTicket,
    status: 200,
    answer: tickets.TicketView,
    problems: ['ticket-not-found'],
  },
  cancelTicket: {
    service: 'queue',
    method: 'DELETE',
    path: '/v1/tickets/:ticketId',
    summary: 'Leave the queue. 200 means that the ticket was never assigned and never will be.',
    callers: ['player', 'operator'],
    params: tickets.TicketParams,
    status: 200,
    answer: tickets.TicketView,
    problems: ['ticket-not-found', 'ticket-already-matched'],
  },
  streamTicket: {
    service: 'queue',
    method: 'GET',
    path: '/v1/tickets/:ticketId/events',
    summary: 'Every state of your ticket as server-sent events; resume with Last-Event-ID.',
    callers: ['player', 'operator'],
    params: tickets.TicketParams,
    status: 200,
    answerType: 'text/event-stream',
    problems: ['ticket-not-found'],
  },
  createPartyPass: {
    service: 'queue',
    method: 'POST',
    path: '/v1/party-passes',
    summary: 'Consent to be queued by a leader: a pass to give to them, valid five minutes.',
    callers: ['player'],
    body: tickets.CreatePartyPass,
    status: 201,
    answer: tickets.PartyPassView,
    problems: ['player-twice'],
  },
  myTicket: {
    service: 'queue',
    method: 'GET',
    path: '/v1/me/ticket',
    summary: 'The ticket that holds you now, for a client that lost its place.',
    callers: ['player'],
    status: 200,
    answer: tickets.TicketView,
    problems: ['ticket-not-found'],
  },
  listQueues: {
    service: 'queue',
    method: 'GET',
    path: '/v1/queues',
    summary: 'The queues and their rules.',
    callers: ['anyone'],
    status: 200,
    answer: tickets.QueueList,
    problems: [],
  },
  listWaiting: {
    service: 'queue',
    method: 'GET',
    path: '/v1/queues/:queue/waiting',
    summary: 'Who waits, for how long, and why.',
    callers: ['operator'],
    params: tickets.QueueParams,
    status: 200,
    answer: tickets.WaitingView,
    problems: ['queue-not-found'],
  },
  registerServer: {
    service: 'allocator',
    method: 'POST',
    path: '/v1/servers',
    summary: 'Register a dedicated server; answers its own token.',
    callers: ['fleet'],
    body: servers.RegisterServer,
    status: 201,
    answer: servers.ServerRegistered,
    problems: [],
  },
  listServers: {
    service: 'allocator',
    method: 'GET',
    path: '/v1/servers',
    summary: 'All servers with their slots and health.',
    callers: ['operator', 'fleet'],
    status: 200,
    answer: servers.ServerList,
    problems: [],
  },
  heartbeat: {
    service: 'allocator',
    method: 'POST',
    path: '/v1/servers/:serverId/heartbeat',
    summary: 'Say that the server lives, and how loaded it is.',
    callers: ['server'],
    params: servers.ServerParams,
    body: servers.Heartbeat,
    status: 200,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  drainServer: {
    service: 'allocator',
    method: 'POST',
    path: '/v1/servers/:serverId/drain',
    summary: 'Give the server no new sessions; those it has go on.',
    callers: ['server', 'operator'],
    params: servers.ServerParams,
    status: 200,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  leaveServer: {
    service: 'allocator',
    method: 'DELETE',
    path: '/v1/servers/:serverId',
    summary: 'Take the server out. Sessions that it still hosts are lost.',
    callers: ['server', 'operator'],
    params: servers.ServerParams,
    status: 200,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  takeCommands: {
    service: 'allocator',
    method: 'GET',
    path: '/v1/servers/:serverId/commands',
    summary: 'Take the commands after a cursor, waiting for one if there is none (long poll).',
    callers: ['server'],
    params: servers.ServerParams,
    query: servers.TakeCommands,
    status: 200,
    answer: servers.CommandList,
    problems: ['server-superseded', 'server-not-found'],
  },
  answerCommand: {
    service: 'allocator',
    method: 'POST',
    path: '/v1/servers/:serverId/commands/:seq',
    summary: 'Acknowledge a command, or refuse it and say why.',
    callers: ['server'],
    params: servers.CommandParams,
    body: servers.AnswerCommand,
    status: 200,
    answer: servers.CommandAnswered,
    problems: ['server-superseded', 'command-not-found', 'session-withdrawn'],
  },
  reportResult: {
    service: 'allocator',
    method: 'POST',
    path: '/v1/sessions/:sessionId/result',
    summary: 'Report how a session ended. The same report twice counts once.',
    callers: ['server'],
    params: servers.SessionParams,
    body: servers.SessionResult,
    status: 200,
    answer: servers.ResultAccepted,
    problems: [
      'session-not-found',
      'session-withdrawn',
      'server-superseded',
      'result-contradicts',
      'result-invalid',
      'not-allowed',
    ],
  },
  listConflicts: {
    service: 'allocator',
    method: 'GET',
    path: '/v1/result-conflicts',
    summary: 'Results that contradicted an earlier one, newest first.',
    callers: ['operator'],
    status: 200,
    answer: servers.ConflictList,
    problems: [],
  },
  jwks: {
    service: 'allocator',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Public keys: a server checks join tokens with them, offline.',
    callers: ['anyone'],
    status: 200,
    answer: servers.Jwks,
    problems: [],
  },
  listMatches: {
    service: 'assignment',
    method: 'GET',
    path: '/v1/matches',
    summary: 'Matches with teams, prediction, outcome and ratings before and after, page by page.',
    callers: ['operator'],
    query: matches.PageOfMatches,
    status: 200,
    answer: matches.MatchPage,
    problems: [],
  },
  exportMatches: {
    service: 'assignment',
    method: 'GET',
    path: '/v1/matches/export',
    summary: 'All matches, oldest first, as JSON lines or CSV (a row a player).',
    callers: ['operator'],
    query: matches.ExportMatches,
    status: 200,
    answerType: 'application/x-ndjson',
    problems: [],
  },
  readMatch: {
    service: 'assignment',
    method: 'GET',
    path: '/v1/matches/:matchId',
    summary: 'One match and why it is as it is. Players see their own.',
    callers: ['operator', 'player'],
    params: matches.MatchParams,
    status: 200,
    answer: matches.MatchView,
    problems: ['match-not-found'],
  },
  splitTeams: {
    service: 'assignment',
    method: 'POST',
    path: '/v1/teams/split',
    summary: 'Split players into even teams, with proof of how even they are. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    body: teams.SplitTeams,
    status: 200,
    answer: teams.TeamSplit,
    problems: ['unsolvable', 'too-busy'],
  },
  splitPool: {
    service: 'assignment',
    method: 'POST',
    path: '/v1/teams/splits',
    summary: 'The best two teams of every size from 2 up, the others on the bench. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    body: teams.SplitPool,
    status: 200,
    answer: teams.PoolSplits,
    problems: ['unsolvable', 'too-busy'],
  },
  rebalanceTeams: {
    service: 'assignment',
    method: 'POST',
    path: '/v1/teams/rebalance',
    summary: 'The fewest swaps that make two teams even enough. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    body: teams.RebalanceTeams,
    status: 200,
    answer: teams.Rebalanced,
    problems: ['unsolvable', 'too-busy'],
  },
  myRating: {
    service: 'rating',
    method: 'GET',
    path: '/v1/me/rating',
    summary: 'Your rating in a pool.',
    callers: ['player'],
    query: ratings.MyRating,
    status: 200,
    answer: ratings.RatingView,
    problems: ['pool-not-found'],
  },
  listRatings: {
    service: 'rating',
    method: 'GET',
    path: '/v1/ratings/:pool',
    summary: 'The ratings of a pool, page by page.',
    callers: ['operator', 'fleet'],
    params: ratings.PoolParams,
    query: ratings.PageOfRatings,
    status: 200,
    answer: ratings.RatingList,
    problems: ['pool-not-found'],
  },
  readRating: {
    service: 'rating',
    method: 'GET',
    path: '/v1/ratings/:pool/:playerId',
    summary: 'One player’s rating; a stranger has the start value.',
    callers: ['operator', 'fleet'],
    params: ratings.RatingParams,
    status: 200,
    answer: ratings.RatingView,
    problems: ['pool-not-found'],
  },
  listPools: {
    service: 'rating',
    method: 'GET',
    path: '/v1/pools',
    summary: 'The rating pools.',
    callers: ['operator', 'fleet'],
    status: 200,
    answer: ratings.PoolList,
    problems: [],
  },
  createPool: {
    service: 'rating',
    method: 'POST',
    path: '/v1/pools',
    summary: 'Create a rating pool; one that is there already is left as it is.',
    callers: ['operator'],
    body: ratings.CreatePool,
    status: 201,
    answer: ratings.PoolView,
    problems: [],
  },
  reportMatch: {
    service: 'rating',
    method: 'POST',
    path: '/v1/results',
    summary: 'Rate a match that the coordinator did not form (community servers). The same id counts once.',
    callers: ['fleet', 'operator'],
    body: ratings.ReportResult,
    status: 201,
    answer: ratings.ResultRated,
    problems: ['pool-not-found', 'result-contradicts'],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export type BodyOf<N extends EndpointName> = (typeof endpoints)[N] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : never;
export type QueryOf<N extends EndpointName> = (typeof endpoints)[N] extends {
  query: infer Q extends z.ZodType;
}
  ? z.input<Q>
  : never;
export type AnswerOf<N extends EndpointName> = (typeof endpoints)[N] extends {
  answer: infer A extends z.ZodType;
}
  ? z.output<A>
  : never;

/** The endpoint by its name, with the optional parts in sight. */
export function endpointOf(name: EndpointName): Endpoint {
  return endpoints[name];
}
