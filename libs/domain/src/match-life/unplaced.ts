import { message, type Explanation, type Message } from '../messages/index.js';
import { unchanged, type Decision } from './decision.js';
import { abandonMatch } from './end-match.js';
import { mayLeave } from './offences.js';
import { ticketIdsOf, type MatchFacts } from './state.js';

/** The outcome when the players of a ticket leave a match without a server, or with a silent one. */
export type LeaveMatchResult =
  /** They left; these tickets have to be notified: all if the match is abandoned with it. The same for a repeated call. */
  | { readonly outcome: 'left'; readonly ticketIds: readonly string[]; readonly reason: Explanation }
  /** They may leave after this time; null: the first placement attempt comes before. */
  | { readonly outcome: 'too-soon'; readonly waitMs: number | null }
  /** A server hosts the match, or is being asked to. */
  | { readonly outcome: 'has-server' }
  /** The match ended in another way. */
  | { readonly outcome: 'over' }
  | { readonly outcome: 'unknown' };

/** A match that may have no server. */
export interface UnplacedFacts {
  readonly match: MatchFacts;
  /** Placement attempts so far; null: none is due any more, or none was requested yet. */
  readonly attempts: number | null;
  /** Whether a session of it is reserved or live. */
  readonly hasServer: boolean;
}

/** The same with the rules about leaving it. */
export interface LeavableFacts extends UnplacedFacts {
  /** Whether the server of its live session is silent. */
  readonly serverIsSilent: boolean;
  /** When its session went live; null: it did not. */
  readonly liveAt: number | null;
  /** Seconds from then after which it may be left; null: the default. */
  readonly leaveMatchAfterSeconds: number | null;
  readonly formedAt: number | null;
  /** Seconds from forming after which the match may be left; null: from the first attempt that found no server. */
  readonly leaveAfterSeconds: number | null;
}

/** Default time after which players may leave a match that is played, in seconds. */
export const defaultLeaveMatchAfterSeconds = 7_200;

/**
 * The players of a ticket leave a match without a server: it is abandoned, and the other tickets return to the queue. They
 * leave a match whose server is silent, too, or that lasts longer than its rules expect: it goes on without them. Nobody is
 * penalised, and who left a played match is no leaver afterwards, whatever its server says: see {@link mayLeave}.
 */
export function decideLeave(
  unplaced: LeavableFacts | null,
  ticketId: string,
  now: number,
): Decision<LeaveMatchResult> {
  if (!unplaced) return unchanged({ outcome: 'unknown' });
  const { match, attempts, hasServer, formedAt, leaveAfterSeconds, serverIsSilent, liveAt } = unplaced;
  const leaving = match.players.filter((player) => player.ticketId === ticketId);
  if (leaving.length === 0) return unchanged({ outcome: 'unknown' });
  const reason = message('match.left-without-server');
  const left: LeaveMatchResult = { outcome: 'left', ticketIds: ticketIdsOf(match), reason: [reason] };
  const hasLeft = leaving.every(({ leftAt }) => leftAt !== null);
  if (match.state === 'abandoned' && hasLeft)
    return leaving.some(mayLeave)
      ? leavePlayed(match, ticketId, message('match.left-silent-server'), now)
      : unchanged(left);
  if (match.state === 'placed' && (serverIsSilent || hasLeft))
    return leavePlayed(match, ticketId, message('match.left-silent-server'), now);
  const longMs = (unplaced.leaveMatchAfterSeconds ?? defaultLeaveMatchAfterSeconds) * 1000;
  if (match.state === 'placed' && liveAt !== null && now >= liveAt + longMs)
    return leavePlayed(match, ticketId, message('match.left-long'), now);
  if (match.state === 'placed' || hasServer) return unchanged({ outcome: 'has-server' });
  if (match.state !== 'formed') return unchanged({ outcome: 'over' });
  if (attempts === null || attempts === 0) return unchanged({ outcome: 'too-soon', waitMs: null });
  const waitMs = (formedAt ?? now) + (leaveAfterSeconds ?? 0) * 1000 - now;
  if (leaveAfterSeconds !== null && waitMs > 0) return unchanged({ outcome: 'too-soon', waitMs });
  // Previous releases do not know tickets that left: to them it failed.
  const remade = { failedTicketIds: [ticketId], leftTicketIds: [ticketId] };
  const abandoned = abandonMatch(match, { reason, remade }, now);
  if (!abandoned) return unchanged({ outcome: 'over' });
  return {
    outcome: left,
    changes: { ...abandoned.changes, left: { ticketId, at: now } },
    jobs: abandoned.jobs,
  };
}

function leavePlayed(
  match: MatchFacts,
  ticketId: string,
  reason: Message,
  now: number,
): Decision<LeaveMatchResult> {
  const { matchId, queue, blame, players } = match;
  const ticketIds = [ticketId];
  const left: LeaveMatchResult = { outcome: 'left', ticketIds, reason: [reason] };
  const playerIds = players.flatMap((player) =>
    player.ticketId === ticketId && player.leftAt === null && !mayLeave(player) ? [player.playerId] : [],
  );
  if (playerIds.length === 0) return unchanged(left);
  const offences = blame.filter(({ playerId }) =>
    players.some((player) => player.ticketId === ticketId && player.playerId === playerId),
  );
  return {
    outcome: left,
    changes: { matchId, departed: { playerIds, at: now }, finished: { playerIds, at: now } },
    jobs: [
      {
        kind: 'update',
        matchId,
        ticketIds,
        reason,
        update: { to: 'abandoned', queue, offences, matchState: 'placed' },
      },
    ],
  };
}

/**
 * A match found no server in time and is abandoned.
 *
 * @returns whether it was given up now
 */
export function decideGiveUp({ match, attempts, hasServer }: UnplacedFacts, now: number): Decision<boolean> {
  if (attempts === null || hasServer) return unchanged(false);
  const abandoned = abandonMatch(match, { reason: message('placement.gave-up') }, now);
  return abandoned ? { outcome: true, ...abandoned } : unchanged(false);
}
