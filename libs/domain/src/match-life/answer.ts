import type { ServerIdentity } from '../servers/server.js';
import { message, verbatim } from '../messages/index.js';
import { decideSeatAnswer, type SeatCommand } from '../backfill-life/let-in.js';
import { unchanged, type Decision } from './decision.js';
import { placeAgain } from './end-match.js';
import { ticketIdsOf, ticketsOf, type Roster, type SessionFacts } from './state.js';

export type CommandAnswer =
  | { readonly status: 'done'; readonly host?: string | undefined; readonly port?: number | undefined }
  | { readonly status: 'refused'; readonly reason: string };

export type AnswerResult =
  /** `again` when the same answer had been given before. */
  | { readonly outcome: 'accepted' | 'again'; readonly matchId: string | null }
  | { readonly outcome: 'withdrawn' }
  | { readonly outcome: 'unknown' };

export type CommandState = 'pending' | 'done' | 'refused' | 'withdrawn';

/** A command of a server, with its session and match. */
export interface CommandFacts {
  readonly seq: number;
  /** Includes kinds that only a newer release knows. */
  readonly kind: string;
  readonly state: CommandState;
  readonly session: SessionFacts;
  readonly match: Roster & { readonly matchId: string };
  /** As the server registered. */
  readonly server: { readonly region: string; readonly host: string; readonly port: number };
  /** The seats that an unanswered `add-players` is about; null: it is answered, or of another kind. */
  readonly seats: SeatCommand | null;
}

/**
 * A server answers a command.
 *
 * 1. A repeated answer changes nothing. An answer to a withdrawn command is too late.
 * 2. `create-session` is done: session and match move on together, and the tickets get the address.
 * 3. `create-session` is refused: the match goes to the next server.
 * 4. {@link decideSeatAnswer} decides the effect of an answer to `add-players`.
 * 5. Any other answer is recorded.
 */
export function decideAnswer(
  command: CommandFacts | null,
  server: ServerIdentity,
  reply: CommandAnswer,
  now: number,
): Decision<AnswerResult> {
  if (!command) return unchanged({ outcome: 'unknown' });
  if (command.state === reply.status) return unchanged({ outcome: 'again', matchId: null });
  if (command.state !== 'pending') return unchanged({ outcome: 'withdrawn' });
  if (command.seats) return decideSeatAnswer(command.seats, reply);
  const { matchId } = command.match;
  const answered = { serverId: server.serverId, seq: command.seq, state: reply.status };
  if (command.kind !== 'create-session')
    return { outcome: { outcome: 'accepted', matchId: null }, changes: { matchId, answered }, jobs: [] };
  return reply.status === 'done'
    ? goLive(command, server, reply, now)
    : turnDown(command, server, reply.reason, now);
}

function goLive(
  { seq, session, match, server: own }: CommandFacts,
  { serverId, incarnation }: ServerIdentity,
  reply: { readonly host?: string | undefined; readonly port?: number | undefined },
  now: number,
): Decision<AnswerResult> {
  if (session.state !== 'reserved' || session.incarnation !== incarnation)
    return unchanged({ outcome: 'withdrawn' });
  const { matchId } = match;
  const { sessionId } = session;
  const { region } = own;
  const host = reply.host ?? own.host;
  const port = reply.port ?? own.port;
  return {
    outcome: { outcome: 'accepted', matchId },
    changes: {
      matchId,
      session: { sessionId, from: ['reserved'], to: 'live', host, port, liveAt: now },
      answered: { serverId, seq, state: 'done' },
      match: { from: ['formed'], to: 'placed', sessionId, serverId, region, placedAt: now },
      placement: 'over',
    },
    jobs: [
      {
        kind: 'update',
        matchId,
        ticketIds: ticketIdsOf(match),
        reason: message('placement.ready', { region }),
        update: { to: 'placed', teams: ticketsOf(match), sessionId, serverId, region, host, port },
      },
    ],
  };
}

function turnDown(
  { seq, session, match }: CommandFacts,
  { serverId }: ServerIdentity,
  detail: string,
  now: number,
): Decision<AnswerResult> {
  const { matchId } = match;
  const answered = { serverId, seq, state: 'refused' as const };
  // The answer is recorded in any case, so that a repeat is recognised.
  if (session.state !== 'reserved')
    return { outcome: { outcome: 'withdrawn' }, changes: { matchId, answered }, jobs: [] };
  const { changes, jobs } = placeAgain(match, message('placement.refused', { detail }), now);
  return {
    outcome: { outcome: 'accepted', matchId },
    changes: {
      ...changes,
      answered,
      session: {
        sessionId: session.sessionId,
        from: ['reserved'],
        to: 'refused',
        closedAt: now,
        reason: verbatim(detail),
      },
    },
    jobs,
  };
}
