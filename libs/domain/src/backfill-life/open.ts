import type { BackfillRequest, BackfillResult } from '../matches/backfill.js';
import { message, type Message } from '../messages/index.js';
import { unchanged, type Changes, type Decision, type MatchJob } from '../match-life/decision.js';
import { accuse, type Accusation } from '../match-life/offences.js';
import { notInMatch, type SessionFacts } from '../match-life/state.js';
import type { ServerIdentity } from '../servers/server.js';
import type { NewBackfill } from './changes.js';
import {
  backfillViewOf,
  openBackfillOf,
  type BackfillFacts,
  type FillableMatch,
  type FillablePlayer,
  type FillRules,
} from './state.js';

/** A session whose server asks for players. */
export interface AskingSession {
  readonly session: SessionFacts;
  /** The backfill that has the id of the request; null: none. */
  readonly known: BackfillFacts | null;
  readonly match: FillableMatch;
  /** Seats of the same team that open backfills of the session offer. */
  readonly offered: number;
}

/**
 * A server asks for players. The checks are in this order:
 *
 * 1. The session exists and is the server's.
 * 2. A repeat of the request changes nothing; another request under the same id is refused.
 * 3. The session is live under the registration that is in force.
 * 4. The rules of the match allow it, and the team has the seats.
 *
 * Then the leavers are free and are blamed, the backfill is open, and the matcher looks for players.
 *
 * @param asking null: there is no such session
 */
export function decideBackfill(
  asking: AskingSession | null,
  { serverId, incarnation }: ServerIdentity,
  request: BackfillRequest,
  now: number,
): Decision<BackfillResult> {
  if (!asking) return unchanged({ outcome: 'unknown' });
  const { session, known, match } = asking;
  if (session.serverId !== serverId) return unchanged({ outcome: 'not-yours' });
  if (known)
    return unchanged(
      known.fingerprint === request.fingerprint
        ? { outcome: 'again', backfill: backfillViewOf(known) }
        : { outcome: 'reused' },
    );
  if (session.state !== 'live') return unchanged({ outcome: 'withdrawn', state: session.state });
  if (session.incarnation !== incarnation) return unchanged({ outcome: 'superseded' });
  const { rules } = match;
  if (!rules?.backfill) return refuse(message('backfill.not-allowed', { queue: match.queue }));
  const refusal = refusalOf(asking, rules, request);
  if (refusal) return refuse(refusal);
  return open(session, match, rules, rules.backfill.seconds, request, now);
}

function refuse(reason: Message): Decision<BackfillResult> {
  return unchanged({ outcome: 'refused', reason: [reason] });
}

/** @returns why there are no such seats; null when there are */
function refusalOf(
  { match, offered }: AskingSession,
  { teams, teamSize }: FillRules,
  { team, seats, leavers }: BackfillRequest,
): Message | null {
  if (team >= teams) return message('backfill.no-such-team', { teams, team });
  const unknown = notInMatch(leavers, match);
  if (unknown.length > 0) return message('backfill.not-in-match', { players: unknown });
  const staying = match.players.filter(
    (player) => player.team === team && player.leftAt === null && !leavers.includes(player.playerId),
  ).length;
  const free = teamSize - (match.bots[team] ?? 0) - staying - offered;
  return seats <= free ? null : message('backfill.too-few-seats', { team, free: Math.max(0, free), seats });
}

function open(
  { sessionId }: SessionFacts,
  match: FillableMatch,
  rules: FillRules,
  seconds: number,
  { backfillId, fingerprint, team, seats, leavers }: BackfillRequest,
  now: number,
): Decision<BackfillResult> {
  const { matchId } = match;
  const gone = match.players.filter(({ playerId, leftAt }) => leftAt === null && leavers.includes(playerId));
  const playerIds = gone.map(({ playerId }) => playerId);
  // Those whose request was withdrawn have left before.
  const again = match.blame.flatMap(({ playerId, withdrawnAt }) =>
    withdrawnAt !== undefined && leavers.includes(playerId) ? [playerId] : [],
  );
  const times = { requestedAt: now, expiresAt: now + seconds * 1000 };
  const opened: NewBackfill = { backfillId, sessionId, team, seats, fingerprint, ...times };
  const accused = accuse(
    { ...match, massBlameShare: rules.massBlameShare },
    { noShows: [], leavers: [...playerIds, ...again] },
    now,
    backfillId,
  );
  const changes: Changes = {
    matchId,
    backfillOpened: opened,
    ...(gone.length > 0 ? { departed: { playerIds, at: now } } : {}),
    ...(accused.jobs.length > 0 ? { blame: accused.blame } : {}),
  };
  const seated = { backfillId, team, seatsLeft: seats, ...times };
  const without = {
    ...match,
    players: match.players.map((player) => (gone.includes(player) ? { ...player, leftAt: now } : player)),
  };
  return {
    outcome: {
      outcome: 'open',
      backfill: { ...seated, sessionId, matchId, seats, state: 'open', playerIds: [] },
    },
    changes,
    jobs: [
      ...departureJobs(match, gone, accused),
      { kind: 'wanted', backfill: openBackfillOf(seated, without, rules) },
    ],
  };
}

/** Leavers are penalised, and a ticket whose players all left is over. */
function departureJobs(
  { matchId, queue, players }: FillableMatch,
  gone: readonly FillablePlayer[],
  { blame, jobs }: Accusation,
): MatchJob[] {
  if (gone.length === 0) return [...jobs];
  const leavers = new Set(gone.map(({ playerId }) => playerId));
  const stays = new Set(
    players.flatMap((player) => (player.leftAt === null && !gone.includes(player) ? [player.ticketId] : [])),
  );
  const ticketIds = new Set(
    gone.flatMap(({ ticketId }) => (ticketId === null || stays.has(ticketId) ? [] : [ticketId])),
  );
  const offences = blame.filter(({ playerId }) => leavers.has(playerId));
  return [
    ...jobs,
    {
      kind: 'update',
      matchId,
      ticketIds: [...ticketIds],
      reason: message('match.you-left'),
      update: { to: 'abandoned', queue, offences, matchState: 'placed' },
    },
  ];
}
