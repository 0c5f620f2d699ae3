import * as backfills from '../http/allocator/backfills.js';
import * as capacity from '../http/allocator/capacity.js';
import * as headers from '../http/headers.js';
import * as matches from '../http/assignment/matches.js';
import * as results from '../http/rating/results.js';
import * as servers from '../http/allocator/servers.js';
import { endpointsOf } from './endpoint.js';

const ofSession = ['session-not-found', 'session-withdrawn', 'server-superseded'] as const;

/** Servers and their sessions: the endpoints of the allocator. */
export const allocatorEndpoints = endpointsOf('allocator', {
  registerServer: {
    call: 'POST /v1/servers',
    summary: 'Register a dedicated server; returns its own token.',
    callers: ['fleet'],
    body: servers.RegisterServer,
    status: 201,
    answer: servers.ServerRegistered,
    problems: ['server-id-taken', 'allocation-taken', 'allocation-over'],
  },
  listServers: {
    call: 'GET /v1/servers',
    summary: 'Servers with their slots and health, in the order of their ids.',
    callers: ['operator', 'fleet'],
    query: servers.PageOfServers,
    answer: servers.ServerList,
  },
  readCapacity: {
    call: 'GET /v1/capacity',
    summary: 'Slots by build and region: used, free, overloaded, wanted and on their way.',
    callers: ['operator'],
    answer: capacity.CapacityView,
  },
  heartbeat: {
    call: 'POST /v1/servers/:serverId/heartbeat',
    summary: 'Send a heartbeat with the server’s load and sessions.',
    callers: ['server'],
    params: servers.ServerParams,
    body: servers.Heartbeat,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  drainServer: {
    call: 'POST /v1/servers/:serverId/drain',
    summary: 'Drain the server: no new sessions; running ones continue.',
    callers: ['server', 'operator'],
    params: servers.ServerParams,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  undrainServer: {
    call: 'POST /v1/servers/:serverId/undrain',
    summary: 'End the draining of the server: it takes new sessions again.',
    callers: ['server', 'operator'],
    params: servers.ServerParams,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  leaveServer: {
    call: 'DELETE /v1/servers/:serverId',
    summary: 'Remove the server. Sessions that it still hosts are lost.',
    callers: ['server', 'operator'],
    params: servers.ServerParams,
    answer: servers.HeartbeatAnswer,
    problems: ['server-superseded', 'server-not-found'],
  },
  takeCommands: {
    call: 'GET /v1/servers/:serverId/commands',
    summary: 'Read the commands after a cursor; wait for one if there is none (long poll).',
    callers: ['server'],
    params: servers.ServerParams,
    query: servers.TakeCommands,
    answer: servers.CommandList,
    problems: ['server-superseded', 'server-not-found', 'too-many-open', 'too-busy'],
  },
  answerCommand: {
    call: 'POST /v1/servers/:serverId/commands/:seq',
    summary: 'Acknowledge a command, or refuse it with a reason.',
    callers: ['server'],
    params: servers.CommandParams,
    body: servers.AnswerCommand,
    answer: servers.CommandAnswered,
    problems: ['server-superseded', 'command-not-found', 'session-withdrawn'],
  },
  reportResult: {
    call: 'POST /v1/sessions/:sessionId/result',
    summary: 'Report the result of a session. The same report counts once.',
    callers: ['server'],
    params: servers.SessionParams,
    body: servers.SessionResult,
    answer: servers.ResultAccepted,
    problems: [...ofSession, 'result-contradicts', 'result-invalid', 'not-allowed'],
  },
  abandonSession: {
    call: 'POST /v1/sessions/:sessionId/abandon',
    summary: 'End a session without a result, and name players who did not connect or left. Nobody is rated.',
    callers: ['server'],
    params: servers.SessionParams,
    body: servers.AbandonSession,
    answer: servers.SessionAbandoned,
    problems: [...ofSession, 'result-invalid', 'not-allowed'],
  },
  requestBackfill: {
    call: 'POST /v1/sessions/:sessionId/backfills',
    summary: 'Request replacements for players who left. Send an Idempotency-Key to repeat it safely.',
    callers: ['server'],
    params: servers.SessionParams,
    headers: headers.Idempotent,
    body: backfills.RequestBackfill,
    status: 201,
    answer: backfills.BackfillView,
    problems: [...ofSession, 'backfill-refused', 'idempotency-key-reused', 'not-allowed'],
  },
  readBackfill: {
    call: 'GET /v1/sessions/:sessionId/backfills/:backfillId',
    summary: 'Read the state of a backfill.',
    callers: ['server'],
    params: backfills.BackfillParams,
    answer: backfills.BackfillView,
    problems: ['backfill-not-found', 'not-allowed'],
  },
  withdrawBackfill: {
    call: 'DELETE /v1/sessions/:sessionId/backfills/:backfillId',
    summary: 'Withdraw a backfill. Seats already taken stay taken; the answer lists them.',
    callers: ['server'],
    params: backfills.BackfillParams,
    answer: backfills.BackfillView,
    problems: ['backfill-not-found', 'not-allowed'],
  },
  finishPlayers: {
    call: 'POST /v1/sessions/:sessionId/finished',
    summary:
      'Name players who are finished in a match that goes on: they may queue again. The result counts for them.',
    callers: ['server'],
    params: servers.SessionParams,
    body: servers.FinishPlayers,
    answer: servers.PlayersFinished,
    problems: [...ofSession, 'result-invalid', 'not-allowed'],
  },
  endMatch: {
    call: 'POST /v1/matches/:matchId/end',
    summary: 'End a match that is formed or played, without a result. Its players are free at once.',
    callers: ['operator'],
    params: matches.MatchParams,
    body: results.EndMatch,
    answer: results.MatchEnded,
    problems: ['match-not-found', 'match-over'],
  },
  listConflicts: {
    call: 'GET /v1/result-conflicts',
    summary: 'List results that contradicted an earlier one, newest first.',
    callers: ['operator'],
    answer: servers.ConflictList,
  },
  jwks: {
    call: 'GET /.well-known/jwks.json',
    summary: 'Public keys: a server checks join tokens with them, offline.',
    callers: ['anyone'],
    answer: servers.Jwks,
  },
});
