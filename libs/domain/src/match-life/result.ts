import { partOutstanding, type Parted } from '../backfill-life/let-in.js';
import { isBot } from '../players/bot.js';
import { mostClockSkewMs } from '../clock.js';
import type { MatchState } from '../matches/match.js';
import type { Played } from '../ratings/rating-pool.js';
import type { ResultRules } from '../schemas/pool-rules.js';
import type { ServerIdentity } from '../servers/server.js';
import { recordedTimes, withPermission, withRecorded } from '../matches/playing-time.js';
import { message, type Message } from '../messages/index.js';
import { unchanged, type Changes, type Decision, type MatchJob } from './decision.js';
import { accuse, mayLeave } from './offences.js';
import {
  conductOf,
  resultFaults,
  type ResultClaims,
  type ResultConduct,
  type ResultFault,
} from './result-check.js';
import { notInMatch, type MatchFacts, type SessionFacts } from './state.js';

/** A received result, with the ranks computed from it. */
export interface ReceivedResult {
  readonly ranks: readonly number[];
  /** Fingerprint of the report, the same for the same report. */
  readonly digest: string;
  readonly body: object;
  /** Facts beyond the ranks that rating uses. */
  readonly played?: Played | undefined;
  /** All players it names; a player who is not in the match is refused. */
  readonly players?: readonly string[] | undefined;
  /** Players who left for good; the result counts for them all the same. */
  readonly leavers?: readonly string[] | undefined;
  /** The part of it that must make sense. */
  readonly claims?: ResultClaims | undefined;
}

export type ResultReceived =
  /** `unrated`: fewer than two teams had a player who came, so the match will end void. */
  | { readonly outcome: 'counted' | 'again'; readonly matchId: string; readonly unrated?: true }
  | { readonly outcome: 'contradicts'; readonly matchId: string }
  /** The session is not live. `why` explains why a late result does not count. */
  | { readonly outcome: 'withdrawn'; readonly state: string; readonly why?: readonly Message[] }
  /** The session continues under a later registration of its server, which may report it. */
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'wrong-teams'; readonly teams: number }
  /** Its players were present for longer than the session has lasted. */
  | { readonly outcome: 'wrong-times'; readonly lengthMs: number; readonly mostMs: number }
  /** A named player is not in the match. */
  | { readonly outcome: 'not-in-match'; readonly playerIds: readonly string[] }
  /** It contradicts itself or the pool's rules. */
  | { readonly outcome: 'senseless'; readonly faults: readonly ResultFault[] }
  | { readonly outcome: 'unknown' };

/** Default time for which a late result counts, in seconds. */
const defaultLateResultSeconds = 3_600;

/** The facts that decide whether the result of a lost session counts. */
export interface LateFacts {
  readonly matchState: MatchState | 'unknown';
  readonly closedAt: number | null;
  /** Of the rules of the match; null: not set. */
  readonly lateResultSeconds: number | null;
  /** Whether another session has or had the match. */
  readonly replaced: boolean;
  /** Whether a player of the match was rated after it was abandoned. */
  readonly ratedSince: boolean;
  /** Whether a player of the match is in another one now. */
  readonly playsElsewhere: boolean;
}

/** A session and the state of its result. */
export interface ReportedSession {
  readonly session: SessionFacts;
  /** Digest of the result that counts; null: none does yet. */
  readonly counted: string | null;
  /** The command `create-session` while it is not answered. */
  readonly unansweredSeq: number | null;
  readonly match: MatchFacts;
  /** Of the match's pool; null: the defaults. */
  readonly rules: ResultRules | null;
  /** Null unless {@link isLate}. */
  readonly late: LateFacts | null;
}

/** `unanswered`: the session's command is not answered yet. Nothing is written, and the answer is processed first. */
export type ResultDecided = ResultReceived | { readonly outcome: 'unanswered'; readonly seq: number };

/** Whether a session was lost while it was played: its server was unreachable, and its result may still count. */
export function isLate({ state, liveAt }: SessionFacts, counted: string | null): boolean {
  return counted === null && state === 'lost' && liveAt !== null;
}

/** @returns why a late result does not count; null when it does */
export function whyNotLate(facts: LateFacts, now: number): Message | null {
  const { matchState, closedAt, lateResultSeconds, replaced, ratedSince, playsElsewhere } = facts;
  if (matchState !== 'abandoned') return message('result.match-state', { state: matchState });
  const mostMs = (lateResultSeconds ?? defaultLateResultSeconds) * 1000;
  if (closedAt !== null && now > closedAt + mostMs) return message('result.too-late');
  if (replaced) return message('result.session-replaced');
  if (ratedSince) return message('result.players-rated-since');
  return playsElsewhere ? message('result.players-in-match') : null;
}

/**
 * A server reports a result. The checks, in this order:
 *
 * 1. The session exists and is the server's. A repeat of the report that counted changes nothing.
 * 2. The session is live, or was lost while it was played and may count late; any other report is stored for operators.
 * 3. It comes under the registration in force, has a rank for each team, and fits the length of the session.
 * 4. All players it names are in the match, and it makes sense: see {@link resultFaults}.
 *
 * Then it counts: session and match end, and the match is rated next. Players whom the server has not let in, and does not name,
 * were not in it. A late result blames nobody: its players were free since the loss.
 */
export function decideResult(
  reported: ReportedSession | null,
  server: ServerIdentity,
  result: ReceivedResult,
  now: number,
): Decision<ResultDecided> {
  if (!reported) return unchanged({ outcome: 'unknown' });
  const { session, counted, unansweredSeq, match, late: lateFacts } = reported;
  const { matchId, state } = session;
  if (session.serverId !== server.serverId) return unchanged({ outcome: 'not-yours' });
  const { players: named = [], leavers = [], claims: { noShows = [] } = {} } = result;
  const parted = partOutstanding(match, [...named, ...leavers, ...noShows]);
  if (counted === result.digest)
    return unchanged({ outcome: 'again', matchId, ...ratedOf(parted.match, conductIn(result)) });
  const current = session.incarnation === server.incarnation;
  if (state === 'reserved' && current && unansweredSeq !== null)
    return unchanged({ outcome: 'unanswered', seq: unansweredSeq });
  const late = isLate(session, counted);
  const why = late && lateFacts ? whyNotLate(lateFacts, now) : null;
  if (counted !== null || why !== null || (state !== 'live' && !late))
    return keep(reported, why, server.serverId, result, now);
  // A lost server has registered again since, or does not know yet that it is lost.
  if (!late && !current) return unchanged({ outcome: 'superseded' });
  const refused = refusalOf({ ...reported, match: parted.match }, result, now);
  return refused ? unchanged(refused) : count(session, parted, late, result, now);
}

/** A report that does not count is stored for operators. */
function keep(
  { session: { matchId, state }, counted }: ReportedSession,
  why: Message | null,
  reportedBy: string,
  { digest, body }: ReceivedResult,
  now: number,
): Decision<ResultDecided> {
  const reason: Message =
    counted !== null
      ? message('result.counted-before')
      : message('result.session-not-live', { state, cause: why });
  return {
    outcome:
      counted !== null
        ? { outcome: 'contradicts', matchId }
        : { outcome: 'withdrawn', state, ...(why ? { why: [why] } : {}) },
    changes: { matchId, conflict: { reportedBy, reason, digest, body, receivedAt: now } },
    jobs: [],
  };
}

/** @returns what is wrong with a report; null when it may count */
function refusalOf(
  { session, match, rules }: ReportedSession,
  { ranks, played, players: named = [], leavers = [], claims = {} }: ReceivedResult,
  now: number,
): ResultDecided | null {
  const teams = 1 + Math.max(-1, ...match.players.map(({ team }) => team));
  if (ranks.length !== teams) return { outcome: 'wrong-teams', teams };
  const mostMs = Math.max(0, now - (session.liveAt ?? now)) + mostClockSkewMs;
  const lengthMs = played?.times?.lengthMs;
  if (lengthMs !== undefined && lengthMs > mostMs) return { outcome: 'wrong-times', lengthMs, mostMs };
  const { noShows = [] } = claims;
  const playerIds = notInMatch([...named.filter((id) => !isBot(id)), ...leavers, ...noShows], match);
  if (playerIds.length > 0) return { outcome: 'not-in-match', playerIds };
  const roster = match.players.map(({ playerId }) => playerId);
  const faults = [...resultFaults(claims, ranks, roster, rules), ...finishedFaults(noShows, match)];
  return faults.length > 0 ? { outcome: 'senseless', faults } : null;
}

/** Players named as no-shows whom the server has reported as finished, so they came. */
function finishedFaults(noShows: readonly string[], { players }: MatchFacts): ResultFault[] {
  // Those who left with permission are not known to have come.
  const finished = new Set(
    players.flatMap((player) => (mayLeave(player) && player.leftAt === null ? [player.playerId] : [])),
  );
  return noShows.flatMap((id, i): ResultFault[] =>
    finished.has(id)
      ? [
          {
            path: `noShows.${i}`,
            message: `names ${id}, whom you reported as finished in this match, so ${id} came to it; leave ${id} out of noShows`,
          },
        ]
      : [],
  );
}

function count(
  { sessionId, liveAt }: SessionFacts,
  { match, ...parted }: Parted<MatchFacts>,
  late: boolean,
  result: ReceivedResult,
  now: number,
): Decision<ResultDecided> {
  const { ranks, digest, body, played = {} } = result;
  const { matchId, players } = match;
  const conduct = conductIn(result);
  const { absent, ...blamed } = conduct;
  const recorded = recordedTimes(players, liveAt ?? now, now);
  const letGo = players.filter((player) => player.leftAt !== null && mayLeave(player));
  const accused = late ? { blame: match.blame, jobs: [] } : accuse(match, blamed, now);
  const changes: Changes = {
    matchId,
    session: { sessionId, from: [late ? 'lost' : 'live'], to: 'ended', closedAt: now },
    match: {
      from: [late ? 'abandoned' : 'placed'],
      to: 'ended',
      endedAt: now,
      ranks,
      // The server's facts about a player take precedence over the coordinator's.
      played: {
        ...withPermission(
          withRecorded(played, recorded),
          recorded,
          letGo.map(({ playerId }) => playerId),
        ),
        ...(absent.length > 0 ? { absent } : {}),
      },
    },
    result: { sessionId, digest, body, receivedAt: now },
    ...parted.changes,
    ...(accused.jobs.length > 0 ? { blame: accused.blame } : {}),
  };
  const jobs: MatchJob[] = [{ kind: 'rate', matchId }, ...parted.jobs, ...accused.jobs];
  return { outcome: { outcome: 'counted', matchId, ...ratedOf(match, conduct) }, changes, jobs };
}

const conductIn = ({ leavers, claims }: ReceivedResult): ResultConduct => conductOf({ leavers, ...claims });

/** A match with fewer than two teams that somebody came to cannot be rated. */
function ratedOf({ players }: MatchFacts, { absent }: ResultConduct): { unrated?: true } {
  const teams = new Set(players.flatMap(({ playerId, team }) => (absent.includes(playerId) ? [] : [team])));
  return teams.size < 2 ? { unrated: true } : {};
}
