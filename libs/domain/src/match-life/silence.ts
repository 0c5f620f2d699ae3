import { message, type Message } from '../messages/index.js';
import type { PlacementTimeouts } from './place.js';
import type { SessionState } from '../servers/server.js';
import { unchanged, type Changes, type Decision } from './decision.js';
import { abandonMatch, placeAgain, remadeWithout, type Abandonment } from './end-match.js';
import { acquit, mayLeave } from './offences.js';
import type { MatchFacts, SessionFacts } from './state.js';

/** Default time from the start of a match for which its players return to the queue with the loss of its server, in seconds. */
export const defaultCrashRequeueSeconds = 300;

/**
 * A session is lost: its server is gone, was restarted, or no longer knows it. A reserved session sends its match to the
 * next server; a live one ends its match. If that began less than `crashRequeueSeconds` of its rules before the loss, its
 * players return to the queue at their old place.
 *
 * @param lostAt when the server was there last; null: its players do not return
 * @returns false when it had ended before
 */
export function decideLoss(
  session: SessionFacts,
  match: MatchFacts,
  reason: Message,
  now: number,
  lostAt: number | null = now,
): Decision<boolean> {
  const { sessionId, state, matchId } = session;
  if (state !== 'reserved' && state !== 'live') return unchanged(false);
  // What a server said of its players goes with it.
  const { blame, jobs } = acquit(match, message('penalty.server-lost'), now);
  const next =
    state === 'live'
      ? abandonMatch(match, { ...endOf(session, match, reason, lostAt), blame }, now)
      : placeAgain(match, message('placement.server-gone'), now);
  const changes: Changes = {
    matchId,
    ...next?.changes,
    withdrawnOrderOf: sessionId,
    session: { sessionId, from: [state], to: 'lost', closedAt: now, reason },
  };
  return { outcome: true, changes, jobs: [...(next?.jobs ?? []), ...(state === 'live' ? jobs : [])] };
}

/** How a match ends with its server. */
function endOf(
  { liveAt }: SessionFacts,
  { queue, players, blame, crashRequeueSeconds, ticketTtlSeconds }: MatchFacts,
  cause: Message,
  lostAt: number | null,
): Abandonment {
  const mostMs = (crashRequeueSeconds ?? defaultCrashRequeueSeconds) * 1000;
  const blamed = new Set(blame.map(({ playerId }) => playerId));
  const isOut = (player: MatchFacts['players'][number]): boolean =>
    player.leftAt !== null || mayLeave(player) || blamed.has(player.playerId);
  const isEarly = liveAt !== null && lostAt !== null && Math.max(0, lostAt - liveAt) < mostMs;
  if (!isEarly || queue === null || players.every(isOut)) return { reason: cause };
  return {
    reason: message('match.players-returned', { cause }),
    told: message('match.lost', { cause }),
    remade: { ...remadeWithout(players, isOut), lifeSeconds: ticketTtlSeconds ?? null },
  };
}

/** Default time for which the server of a match may be silent, in seconds. */
export const defaultResumeSeconds = 30;

/** An open session of a silent server. */
export interface SilencedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  /** Of the rules of its match; null: not set. */
  readonly resumeSeconds: number | null;
}

/**
 * What a silent server loses: live sessions that it may not resume any more. When it has no other live ones, it is lost
 * with all its sessions.
 *
 * @param silentMs as counted by `silentMs` of hearing
 */
export function decideSilence(
  silentMs: number,
  sessions: readonly SilencedSession[],
  { silenceMs }: Pick<PlacementTimeouts, 'silenceMs'>,
): { readonly isLost: boolean; readonly sessionIds: readonly string[] } {
  if (silentMs <= silenceMs) return { isLost: false, sessionIds: [] };
  const isKept = ({ state, resumeSeconds }: SilencedSession): boolean =>
    state === 'live' && silentMs <= (resumeSeconds ?? defaultResumeSeconds) * 1000;
  const isLost = !sessions.some(isKept);
  const ended = sessions.filter((session) => isLost || (session.state === 'live' && !isKept(session)));
  return { isLost, sessionIds: ended.map(({ sessionId }) => sessionId) };
}

/**
 * A silent server that stays registered loses a session: it is commanded to end it, for when it comes back.
 *
 * @param heardAt when the server was heard last
 */
export function decideSilenced(
  session: SessionFacts,
  match: MatchFacts,
  heardAt: number,
  now: number,
): Decision<boolean> {
  const reason = message('session.server-silent');
  return withEndOrder(session, decideLoss(session, match, reason, now, heardAt), reason, now);
}

/** A match exceeds its time limit: its session is lost, and the server is commanded to end it. */
export function decideOvertime(session: SessionFacts, match: MatchFacts, now: number): Decision<boolean> {
  const reason = message('session.overtime');
  return withEndOrder(session, decideLoss(session, match, reason, now, null), reason, now);
}

/**
 * A server did not answer in time: its match goes to the next server. It may still create the session late, so it is commanded
 * to end it.
 */
export function decideUnanswered(session: SessionFacts, match: MatchFacts, now: number): Decision<boolean> {
  const { sessionId, state } = session;
  if (state !== 'reserved') return unchanged(false);
  const { changes, jobs } = placeAgain(match, message('placement.not-answered'), now);
  const reason = message('session.not-answered');
  const withdrawn: Changes = {
    ...changes,
    withdrawnOrderOf: sessionId,
    session: { sessionId, from: ['reserved'], to: 'unanswered', closedAt: now, reason },
  };
  const decision = { outcome: true, changes: withdrawn, jobs };
  return withEndOrder(session, decision, message('session.answered-late'), now);
}

function withEndOrder(
  { serverId, sessionId }: SessionFacts,
  decision: Decision<boolean>,
  reason: Message,
  now: number,
): Decision<boolean> {
  if (!decision.changes) return decision;
  const command = { serverId, kind: 'end-session' as const, sessionId, payload: { reason }, at: now };
  return { ...decision, changes: { ...decision.changes, command } };
}
