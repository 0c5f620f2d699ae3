import { matchStates, ticketStates } from '@muster/domain';
import { z } from 'zod';
import { ConflictDecision, SessionResult } from '../allocator/servers.js';
import { EpochMs } from '../../times.js';
import { idIn, textIn } from './parts.js';

/** Data of the events of a match. The match as it is at the end of the transaction. */
export const MatchEventData = z.object({
  matchId: idIn('match'),
  state: z.enum(matchStates),
  origin: z.enum(['queue', 'reported']).meta({ description: '`reported`: it was played elsewhere.' }),
  queue: z.string().nullable(),
  pool: z.string(),
  map: z.string().nullable(),
  region: z.string().nullable(),
  serverId: z.string().nullable(),
  sessionId: z.string().nullable(),
  teams: z.array(z.array(z.string())).meta({ description: 'Players by team, those included who left.' }),
  ranks: z.array(z.number().int()).meta({ description: 'Of each team, 1 is best; empty without a result.' }),
  reason: textIn('Why it was abandoned or is void.'),
  formedAt: EpochMs.nullable(),
  placedAt: EpochMs.nullable(),
  endedAt: EpochMs.nullable(),
  closedAt: EpochMs.nullable(),
});

/** Data of the events of a ticket. */
export const TicketEventData = z.object({
  ticketId: idIn('ticket'),
  seq: z.number().int().meta({ description: 'Counts the events of the ticket from 1.' }),
  state: z.enum(ticketStates),
  reason: z.string().meta({ description: 'What its players are told.' }),
  matchId: z.string().nullable(),
  matchState: z.string().nullable(),
  queue: z.string().nullable().meta({ description: 'Null: it ended long before.' }),
  players: z.array(z.string()),
  enqueuedAt: EpochMs.nullable(),
  at: EpochMs,
});

/** Data of the events of a session: a match on a server. */
export const SessionEventData = z.object({
  sessionId: idIn('session'),
  matchId: idIn('match'),
  serverId: z.string(),
  state: z.string(),
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  reason: textIn('Why it ended without a result.'),
  reservedAt: EpochMs,
  liveAt: EpochMs.nullable(),
  closedAt: EpochMs.nullable(),
});

/** Data of an event of a server. */
export const ServerEventData = z.object({
  serverId: z.string(),
  state: z.enum(['ready', 'draining', 'lost', 'left']),
  region: z.string(),
  build: z.string(),
  host: z.string(),
  port: z.number().int(),
  slots: z.number().int(),
  incarnation: z.number().int(),
  drainedByOperator: z.boolean(),
});

/** Data of a result that counts. */
export const ResultEventData = z.object({
  matchId: idIn('match'),
  sessionId: idIn('session'),
  receivedAt: EpochMs,
  result: SessionResult.meta({ description: 'What the server reported, without habits.' }),
});

/** Data of a report that contradicts a result, and of an operator's decision about it. */
export const ConflictEventData = z.object({
  matchId: idIn('match'),
  reportedBy: z.string(),
  reason: z.string(),
  receivedAt: EpochMs,
  decision: ConflictDecision.nullable().default(null),
  decidedAt: EpochMs.nullable().default(null),
});
