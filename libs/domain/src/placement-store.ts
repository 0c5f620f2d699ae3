import type { Message, Explanation } from './messages/message.js';
import type { ReplicaHearing } from './hearing.js';
import type { Played } from './rating-pool.js';
import type { MatchState } from './match.js';
import type { ResultClaims, ResultFault } from './match-life/result-check.js';
import type { LoadVerdict, ServerLoad } from './server-load.js';
import type { DrainedBy, ServerCommand, ServerRegistration, ServerState, ServerView } from './server.js';

/** A server acts as the incarnation that its registration began; an older one is refused. */
export interface ServerIdentity {
  readonly serverId: string;
  readonly incarnation: number;
}

/** A server that waits for the commands after the last one that it received. */
export interface CommandCursor extends ServerIdentity {
  readonly after: number;
}

/** The newest pending command of a server. */
export interface NewestCommand {
  readonly serverId: string;
  readonly seq: number;
}

export interface Heartbeat extends ServerLoad {
  /** The judgement of its load by the allocator's limits; absent: `under`. */
  readonly load?: LoadVerdict | undefined;
  /** Sessions that the server knows; undefined when it does not report them. */
  readonly sessions?: readonly string[] | undefined;
}

export interface ServerStanding {
  readonly state: ServerState;
  readonly slotsInUse: number;
}

export type PlaceResult =
  | {
      readonly outcome: 'reserved';
      readonly serverId: string;
      readonly sessionId: string;
      readonly answerBy: number;
    }
  /** No fitting server has a free slot now; the next attempt is at `nextAttemptAt`. */
  | { readonly outcome: 'none-free'; readonly nextAttemptAt: number }
  /** Nothing to do: the match is placed already, is over, or another caller is placing it. */
  | { readonly outcome: 'settled' };

export type CommandAnswer =
  | { readonly status: 'done'; readonly host?: string | undefined; readonly port?: number | undefined }
  | { readonly status: 'refused'; readonly reason: string };

export type AnswerResult =
  /** `again` when the same answer had been given before. */
  | { readonly outcome: 'accepted' | 'again'; readonly matchId: string | null }
  | { readonly outcome: 'withdrawn' }
  | { readonly outcome: 'unknown' };

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

/** Why a session ends without a result, and who is to blame. */
export interface CalledOff {
  readonly reason: string;
  /** Players who never connected. */
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
  /** Tickets without any of those return to the queue. */
  readonly remake: boolean;
}

export type CallOffResult =
  /** `again` when the session had been abandoned before, whatever was reported then. */
  | { readonly outcome: 'abandoned' | 'again'; readonly matchId: string }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'not-yours' }
  /** A blamed player is not in the match. */
  | { readonly outcome: 'not-in-match'; readonly playerIds: readonly string[] }
  | { readonly outcome: 'unknown' };

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

export interface ResultConflict {
  readonly matchId: string;
  readonly reportedBy: string;
  readonly reason: string;
  /** The messages of `reason`; absent when the previous release wrote it. */
  readonly messages?: readonly Message[] | undefined;
  readonly receivedAt: number;
  readonly body: unknown;
}

export type FinishResult =
  | { readonly outcome: 'finished'; readonly matchId: string }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  | { readonly outcome: 'not-in-match'; readonly playerIds: readonly string[] }
  | { readonly outcome: 'superseded' | 'not-yours' | 'unknown' };

/** An operator's word that ends a match. */
export interface EndMatchRequest {
  readonly by: string;
  readonly reason: string;
  readonly as: 'abandoned' | 'void';
  readonly penalties: 'keep' | 'drop';
}

export type EndMatchResult =
  /** `serverId`: the server to wake; null: none has it. */
  | { readonly outcome: 'ended'; readonly serverId: string | null }
  | { readonly outcome: 'again' }
  /** It has a result, or ended in another way. */
  | { readonly outcome: 'over'; readonly state: MatchState }
  | { readonly outcome: 'unknown' };

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

/** Timeouts of the allocator, in milliseconds. */
export interface PlacementTimeouts {
  /** For a server's answer to "create a session". */
  readonly answerMs: number;
  /** A server that is silent for this long gets no new match, and is lost when its matches need not be resumed. */
  readonly silenceMs: number;
  /** Most servers of a group that are silent together are judged only after this time. */
  readonly massSilenceMs: number;
  /** A server that refused a match or left it unanswered is not asked again for it during this time. */
  readonly avoidMs: number;
}

/** A heartbeat that could not be written on arrival. */
export interface UnwrittenHeartbeat extends ServerIdentity {
  readonly at: number;
  /** The server was silent if its last heartbeat was before this time. */
  readonly silentBefore: number;
}

/** The shared state of the allocators' hearing. */
export interface HearingStore {
  /**
   * Records that a replica hears, and writes heartbeats that it received but could not write.
   *
   * @param renewed whether it had an outage: then it hears from now on. The store detects the same from the time when the
   *   replica was last seen
   * @returns all replicas, this one included
   */
  recordHearing(
    replicaId: string,
    renewed: boolean,
    heard: readonly UnwrittenHeartbeat[],
    toleranceMs: number,
    now: number,
  ): Promise<ReplicaHearing[]>;
  /** A replica shuts down: nobody calls it any more. Rows last seen before `seenBefore` are deleted with it. */
  forgetReplica(replicaId: string, seenBefore: number): Promise<void>;
}

/** Retention limits, in milliseconds since the epoch. */
export interface Retention {
  /** Servers that are lost or have left and were last heard before this. */
  readonly servers: number;
  /** Sessions that closed before this, with their commands, reports, conflicts and backfills. */
  readonly sessions: number;
}

/**
 * The state of the allocator. Each method is one transaction with its outbox entries. Times are milliseconds since the
 * epoch.
 */
export interface PlacementStore {
  /**
   * Registers a server, or registers it again: then sessions that it does not resume are lost.
   *
   * @param heardAfter a server of that id at another address that was heard after this time keeps the id; absent: none does
   * @throws ServerIdTaken, AllocationTaken, AllocationOver
   */
  register(
    server: ServerRegistration,
    now: number,
    heardAfter?: number,
  ): Promise<{ incarnation: number; resumed: string[] }>;
  /**
   * Records a heartbeat. A session that is live since before `forgottenBefore` and omitted from heartbeats since before
   * that time is lost.
   *
   * @returns null when the server is unknown or this incarnation is no longer in force
   */
  heartbeat(
    server: ServerIdentity,
    request: Heartbeat,
    forgottenBefore: number,
    now: number,
  ): Promise<ServerStanding | null>;
  /**
   * Drains a server: it takes no new sessions. Its own drain ends when it registers again, an operator's does not.
   *
   * @param by the server by default
   * @returns null when there is no such server
   */
  drain(serverId: string, by?: DrainedBy): Promise<ServerStanding | null>;
  /** A draining server takes new sessions again, whoever drained it. @returns null when there is no such server */
  undrain(serverId: string): Promise<ServerStanding | null>;
  /** Removes a server; its open sessions are lost. @returns null when there is no such server */
  leave(serverId: string, now: number): Promise<ServerStanding | null>;
  /** The distinct builds of the servers that are ready or drain, in the order of their names. */
  builds(limit: number): Promise<string[]>;
  /** A page of the servers, in the order of their ids. @param after the last id of the previous page */
  servers(after: string, limit: number): Promise<ServerView[]>;
  /** Deletes a batch of older rows. @returns whether there may be more */
  forget(before: Retention, limit: number): Promise<boolean>;

  /** Records that a formed match needs a server. Idempotent. */
  begin(matchId: string, now: number): Promise<void>;
  /** Reserves a slot of the best fitting server by the policy of its rules and commands it to create the session. */
  place(matchId: string, timeouts: PlacementTimeouts, now: number): Promise<PlaceResult>;
  /** Matches whose next attempt is due. */
  duePlacements(now: number, limit: number): Promise<string[]>;
  /**
   * Makes the next attempts of waiting matches due, because slots became free: of those whose last attempt is the longest
   * ago.
   *
   * @param limit the number of matches
   * @returns how many are due now
   */
  makePlacementsDue(now: number, limit: number): Promise<number>;
  /** Gives up matches that found no server in time. @returns their ids */
  giveUp(now: number, limit: number): Promise<string[]>;
  /**
   * The players of a ticket leave a match without a server, if its rules allow it by now: the match is abandoned, and
   * remade of the others. Or they leave a match whose server is silent, which may go on without them.
   */
  leaveUnplaced(
    matchId: string,
    ticketId: string,
    limits: Pick<PlacementTimeouts, 'silenceMs'>,
    now: number,
  ): Promise<LeaveMatchResult>;
  /** Withdraws sessions whose server did not answer in time; their matches are placed again. @returns match ids */
  withdrawUnanswered(now: number, limit: number): Promise<string[]>;
  /**
   * Ends live sessions whose servers have been silent for longer than the rules of their matches allow (`decideSilence`), and
   * marks servers without such matches lost. Silence counts only while most servers were heard (`silentMs`).
   *
   * @returns the ids of servers that were lost or lost a session
   */
  loseSilent(timeouts: PlacementTimeouts, now: number, limit: number): Promise<string[]>;

  /**
   * Ends matches that are live since before `liveBefore` without a result, and tells their servers. @returns session ids
   */
  loseOverdue(liveBefore: number, now: number, limit: number): Promise<string[]>;

  /**
   * Unanswered commands of a server after a cursor. A command of a kind that only a newer release knows is kept for a
   * replica of that release.
   *
   * @param unknown called for each such command
   * @returns null when this incarnation is not in force
   */
  commandsAfter(
    server: ServerIdentity,
    seq: number,
    unknown?: (kind: string, seq: number) => void,
  ): Promise<ServerCommand[] | null>;
  /** @returns the positions of servers that have a pending command after their cursor, or no such registration */
  withCommands(cursors: readonly CommandCursor[]): Promise<number[]>;
  /** @returns the newest pending command of each server that was given one since */
  newestCommands(since: number): Promise<NewestCommand[]>;
  answer(server: ServerIdentity, seq: number, answer: CommandAnswer, now: number): Promise<AnswerResult>;

  /** Accepts a result from the server that hosts the session, ends it, and enqueues its rating. */
  receive(
    sessionId: string,
    server: ServerIdentity,
    result: ReceivedResult,
    now: number,
  ): Promise<ResultReceived>;
  /** Ends a session without a result, as reported by the server that hosts it: the match is abandoned, nobody is rated. */
  callOff(
    sessionId: string,
    server: ServerIdentity,
    calledOff: CalledOff,
    now: number,
  ): Promise<CallOffResult>;
  /** Players are finished in a match that goes on: they are free. */
  finish(
    sessionId: string,
    server: ServerIdentity,
    playerIds: readonly string[],
    now: number,
  ): Promise<FinishResult>;
  /** An operator ends a match that is formed or played. */
  endMatch(matchId: string, request: EndMatchRequest, now: number): Promise<EndMatchResult>;
  conflicts(limit: number): Promise<ResultConflict[]>;
}
