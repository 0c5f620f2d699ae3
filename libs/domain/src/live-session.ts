import type { Message } from './messages/message.js';

/** A running match whose server reports events. Live balance defines the types of policy, roster and state. */
export interface LiveSession<Policy, Roster, State> {
  readonly matchId: string;
  readonly sessionId: string;
  readonly policy: Policy;
  readonly roster: Roster;
  readonly state: State;
  /** The last event that was applied; 0 before the first. */
  readonly lastSeq: number;
}

/** A match as it was formed, from which live balance starts. */
export interface LiveMatch {
  readonly matchId: string;
  readonly pool: string;
  readonly rules: unknown;
  /** null: unknown. */
  readonly map: string | null;
  readonly players: readonly {
    readonly playerId: string;
    readonly team: number;
    readonly ticketId: string | null;
    readonly mu: number;
    readonly role: string | null;
  }[];
}

/** A message with its text, as it is sent and stored. */
export interface RenderedMessage {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Moves that a server has to make, all of them. `Why` is the explanation: messages, or their text. */
interface Order<Why> {
  /** `balance`: the match has become unfair. `scramble`: a round triggered new teams. `sides`: a side pick has closed. */
  readonly kind: 'balance' | 'scramble' | 'sides';
  readonly moves: readonly (Why & {
    readonly playerId: string;
    readonly from: number | null;
    readonly to: number;
  })[];
  readonly withinMs: number;
  /** False where the search was not exhaustive; the moves are then good, not proven optimal. */
  readonly exact: boolean;
}

/** An order as it is decided. */
export type LiveOrder = Explained & Order<Explained>;
interface Explained {
  readonly why: readonly Message[];
}

/** An order as it is sent and stored. */
export type SentOrder = Rendered & Order<Rendered>;
interface Rendered {
  readonly why: string;
  /** Absent when the previous release wrote it. */
  readonly whyMessages?: readonly RenderedMessage[] | undefined;
}

/** The effect of events on a session. */
export interface LiveStep<Roster, State, Answer> {
  readonly roster: Roster;
  readonly state: State;
  readonly lastSeq: number;
  /** When to evaluate again without an event, milliseconds since the epoch; null: not before the next event. */
  readonly dueAt: number | null;
  /** Orders for the server, in sequence; mostly none, seldom more than one. */
  readonly orders: readonly LiveOrder[];
  /** Players who have changed team since the match was formed. */
  readonly changedTeam: readonly { readonly playerId: string; readonly team: number }[];
  readonly answer: Answer;
}

/**
 * Why a session is not evaluated: another server's, or unknown; its server has not confirmed it yet; over; its queue's
 * rules do not ask for live balance.
 */
export type LiveAbsence = 'unknown' | 'not-yet' | 'over' | 'left-alone';

/** Running matches under live balance. The stored state survives the process that evaluates it. */
export interface LiveSessionStore<Policy, Roster, State> {
  /**
   * Locks each session, runs the step, and stores its result with its orders, all in one transaction. A step may run more
   * than once, and only the last run counts: it must have no other effect.
   *
   * @param serverId the reporting server; null: any
   * @param begin the initial state of a match reported for the first time; null: it gets no live balance
   * @returns in the order asked
   */
  change<Answer>(
    serverId: string | null,
    asked: readonly {
      readonly sessionId: string;
      readonly step: (session: LiveSession<Policy, Roster, State>) => LiveStep<Roster, State, Answer>;
    }[],
    begin: (match: LiveMatch) => { policy: Policy; roster: Roster; state: State } | null,
    now: number,
  ): Promise<(Answer | LiveAbsence)[]>;
  /** The matches of the given sessions, by session. */
  matchesOf(sessionIds: readonly string[]): Promise<ReadonlyMap<string, LiveMatch>>;
  /** Deletes ended sessions; their orders stay with the match. @returns how many */
  deleteEnded(limit: number): Promise<number>;
  /** Sessions that are due for evaluation. */
  due(now: number, limit: number): Promise<string[]>;
}
