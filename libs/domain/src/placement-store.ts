import type { Message, Said } from './messages/message.js';
import type { ReplicaHearing } from './hearing.js';
import type { Played } from './rating-pool.js';
import type { ServerCommand, ServerRegistration, ServerState, ServerView } from './server.js';

/** A server speaks as the incarnation that its registration began; an older one is refused. */
export interface ServerIdentity {
  readonly serverId: string;
  readonly incarnation: number;
}

export interface Heartbeat {
  /** Share of the processor in use, 0 to 1. */
  readonly cpuLoad: number;
  /** Sessions that the server knows; undefined when it does not say. */
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
  /** No fitting server has a free slot now; it is tried again at `nextAttemptAt`. */
  | { readonly outcome: 'none-free'; readonly nextAttemptAt: number }
  /** Nothing to do: the match is placed already, is over, or another caller is at it. */
  | { readonly outcome: 'settled' };

export type CommandAnswer =
  | { readonly status: 'done'; readonly host?: string | undefined; readonly port?: number | undefined }
  | { readonly status: 'refused'; readonly reason: string };

export type AnswerResult =
  /** `again` when this very answer had been given before. */
  | { readonly outcome: 'accepted' | 'again'; readonly matchId: string | null }
  | { readonly outcome: 'withdrawn' }
  | { readonly outcome: 'unknown' };

/** A result as it came in, with the ranks that it comes to. */
export interface ReceivedResult {
  readonly ranks: readonly number[];
  /** Fingerprint of the report, the same for the same report. */
  readonly digest: string;
  readonly body: object;
  /** What it says beyond the ranks, as rating it needs it. */
  readonly played?: Played | undefined;
  /** Everybody whom it names; somebody who is not in the match is refused. */
  readonly players?: readonly string[] | undefined;
  /** Players who left for good; the result counts for them all the same. */
  readonly leavers?: readonly string[] | undefined;
}

/** Why a session ends without a result, and who is to blame. */
export interface CalledOff {
  readonly reason: string;
  /** Players who never connected. */
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
  /** Tickets without any of those go back to the queue. */
  readonly remake: boolean;
}

export type CallOffResult =
  /** `again` when the session had been abandoned before, whatever was said then. */
  | { readonly outcome: 'abandoned' | 'again'; readonly matchId: string }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'not-yours' }
  /** Somebody who is blamed is not in the match. */
  | { readonly outcome: 'notInMatch'; readonly playerIds: readonly string[] }
  | { readonly outcome: 'unknown' };

export type ResultReceived =
  | { readonly outcome: 'counted' | 'again'; readonly matchId: string }
  | { readonly outcome: 'contradicts'; readonly matchId: string }
  /** The session is not live. `why` says why a result that came late does not count. */
  | { readonly outcome: 'withdrawn'; readonly state: string; readonly why?: readonly Message[] }
  /** The session goes on under a later registration of its server, which may report it. */
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'not-yours' }
  | { readonly outcome: 'wrong-teams'; readonly teams: number }
  /** Its players were there for longer than the session has been. */
  | { readonly outcome: 'wrong-times'; readonly lengthMs: number; readonly mostMs: number }
  /** Somebody who is named is not in the match. */
  | { readonly outcome: 'notInMatch'; readonly playerIds: readonly string[] }
  | { readonly outcome: 'unknown' };

export interface ResultConflict {
  readonly matchId: string;
  readonly reportedBy: string;
  readonly reason: string;
  /** The messages of `reason`; absent when a release before wrote it. */
  readonly messages?: readonly Message[] | undefined;
  readonly receivedAt: number;
  readonly body: unknown;
}

/** Whether the players of a ticket are gone from a match that has no server. */
export type LeaveMatchResult =
  /** They are, and the match is abandoned; all its tickets are to be told so. The same for a repeat. */
  | { readonly outcome: 'left'; readonly ticketIds: readonly string[]; readonly reason: Said }
  /** They may go after so long; null: an attempt to find a server is made first. */
  | { readonly outcome: 'too-soon'; readonly waitMs: number | null }
  /** A server hosts the match, or is being asked to. */
  | { readonly outcome: 'has-server' }
  /** The match ended in another way. */
  | { readonly outcome: 'over' }
  | { readonly outcome: 'unknown' };

/** How patient the allocator is, in milliseconds. */
export interface PlacementTimeouts {
  /** For a server's answer to "create a session". */
  readonly answerMs: number;
  /** Silence after which a server counts as lost. */
  readonly silenceMs: number;
  /** A server that refused a match or left it unanswered is not asked again for it for so long. */
  readonly avoidMs: number;
}

/** A heartbeat that could not be written when it came. */
export interface UnwrittenHeartbeat extends ServerIdentity {
  readonly at: number;
}

/** What the allocators tell one another about whether they hear servers. */
export interface HearingStore {
  /**
   * A replica says that it hears, and hands in heartbeats that it heard but could not write.
   *
   * @param renewed whether it did not hear for a while: then it hears from now on. The store finds out the same by when the
   *   replica was seen last
   * @returns all replicas, this one among them
   */
  hear(
    replicaId: string,
    renewed: boolean,
    heard: readonly UnwrittenHeartbeat[],
    toleranceMs: number,
    now: number,
  ): Promise<ReplicaHearing[]>;
  /** A replica ends in good order: nobody calls it any more. Rows of those that were last seen before `seenBefore` go with it. */
  forgetReplica(replicaId: string, seenBefore: number): Promise<void>;
}

/** Until when things are forgotten, in milliseconds since the epoch. */
export interface Retention {
  /** Servers that are lost or have left and were heard last before this. */
  readonly servers: number;
  /** Sessions that closed before this, with their commands, reports, conflicts and requests for players. */
  readonly sessions: number;
}

/** What the allocator keeps. Each method is one transaction with its outbox entries. Times are milliseconds since the epoch. */
export interface PlacementStore {
  /** Registers a server, or registers it anew: then sessions that it does not resume are lost. */
  register(server: ServerRegistration, now: number): Promise<{ incarnation: number; resumed: string[] }>;
  /**
   * The server lives. A session of it that is live since before `forgottenBefore` and that no heartbeat has named since a time
   * before that either was forgotten by it, and is lost.
   *
   * @returns null when the server is unknown or this incarnation is no longer in force
   */
  heartbeat(
    server: ServerIdentity,
    request: Heartbeat,
    forgottenBefore: number,
    now: number,
  ): Promise<ServerStanding | null>;
  /** Takes no new sessions from now on. @returns null when there is no such server */
  drain(serverId: string): Promise<ServerStanding | null>;
  /** The server is gone; its open sessions are lost. @returns null when there is no such server */
  leave(serverId: string, now: number): Promise<ServerStanding | null>;
  /** The builds of the servers that are ready or drain, each once, in the order of their names. */
  builds(limit: number): Promise<string[]>;
  /** A page of the servers, in the order of their ids. @param after the id of the last one before it */
  servers(after: string, limit: number): Promise<ServerView[]>;
  /** Forgets a batch of what is older. @returns whether there may be more */
  forget(before: Retention, limit: number): Promise<boolean>;

  /** Notes that a formed match wants a server. Repeating it changes nothing. */
  begin(matchId: string, now: number): Promise<void>;
  /** Reserves a slot of the least-loaded fitting server and commands it to create the session. */
  place(matchId: string, timeouts: PlacementTimeouts, now: number): Promise<PlaceResult>;
  /** Matches whose next attempt is due. */
  duePlacements(now: number, limit: number): Promise<string[]>;
  /** Lets every waiting match be tried at once, because a slot came free. @returns how many wait */
  makeWaitingDue(now: number): Promise<number>;
  /** Gives up matches that found no server in time. @returns their ids */
  giveUp(now: number, limit: number): Promise<string[]>;
  /** The players of a ticket leave a match that has no server, if its rules let them by now: the match is abandoned, and remade of the others. */
  leaveUnplaced(matchId: string, ticketId: string, now: number): Promise<LeaveMatchResult>;
  /** Takes back sessions whose server did not answer in time; their matches are tried again. @returns match ids */
  withdrawUnanswered(now: number, limit: number): Promise<string[]>;
  /** Marks silent servers lost with all their sessions. @returns their ids */
  loseSilent(timeouts: PlacementTimeouts, now: number, limit: number): Promise<string[]>;

  /** Ends matches that have been played since before `liveBefore` without a result, and tells their servers. @returns session ids */
  loseOverdue(liveBefore: number, now: number, limit: number): Promise<string[]>;

  /**
   * Commands of a server after a cursor that it has not answered yet. One of a kind that only a newer version knows is kept for a
   * replica of that version.
   *
   * @param unknown told of each such command
   * @returns null when this incarnation is not in force
   */
  commandsAfter(
    server: ServerIdentity,
    seq: number,
    unknown?: (kind: string, seq: number) => void,
  ): Promise<ServerCommand[] | null>;
  answer(server: ServerIdentity, seq: number, answer: CommandAnswer, now: number): Promise<AnswerResult>;

  /** Takes a result from the server that hosts the session, ends it, and promises to have it rated. */
  receive(
    sessionId: string,
    server: ServerIdentity,
    result: ReceivedResult,
    now: number,
  ): Promise<ResultReceived>;
  /** Ends a session without a result, by the word of the server that hosts it: the match is abandoned, nobody is rated. */
  callOff(
    sessionId: string,
    server: ServerIdentity,
    calledOff: CalledOff,
    now: number,
  ): Promise<CallOffResult>;
  conflicts(limit: number): Promise<ResultConflict[]>;
}
