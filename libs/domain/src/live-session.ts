import type { Message } from './messages/message.js';

/** A running match whose server tells what happens on it. The types of policy, roster and state are those of live balance. */
export interface LiveSession<Policy, Roster, State> {
  readonly matchId: string;
  readonly sessionId: string;
  readonly policy: Policy;
  readonly roster: Roster;
  readonly state: State;
  /** The last event that was taken; 0 before the first. */
  readonly lastSeq: number;
}

/** A match as it was formed, for whoever begins to keep it fair. */
export interface LiveMatch {
  readonly matchId: string;
  readonly pool: string;
  readonly rules: unknown;
  readonly players: readonly {
    readonly playerId: string;
    readonly team: number;
    readonly ticketId: string | null;
    readonly mu: number;
  }[];
}

/** A message with its text, as it is sent and kept. */
export interface SpokenMessage {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Moves that a server is to make, all of them. `Why` is what explains them: messages, or the words that were sent. */
interface Order<Why> {
  /** `balance`: the match has become unfair. `scramble`: a round called for new teams. `sides`: players named their sides. */
  readonly kind: 'balance' | 'scramble' | 'sides';
  readonly moves: readonly (Why & {
    readonly playerId: string;
    readonly from: number | null;
    readonly to: number;
  })[];
  readonly withinMs: number;
  /** False where there were too many ways to look at all; the moves are then good, not proven the best. */
  readonly exact: boolean;
}

/** An order as it is decided. */
export type LiveOrder = Explained & Order<Explained>;
interface Explained {
  readonly why: readonly Message[];
}

/** An order as it is sent and kept. */
export type SentOrder = Worded & Order<Worded>;
interface Worded {
  readonly why: string;
  /** Absent when a release before wrote it. */
  readonly whyMessages?: readonly SpokenMessage[] | undefined;
}

/** Whoever tells servers of running sessions what to do. */
export interface LiveCommands {
  /** The same order is commanded once. @returns the server to wake, or null */
  commandBalance(
    sessionId: string,
    order: SentOrder & { readonly number: number },
    now: number,
  ): Promise<string | null>;
}

/** What becomes of a session by its events. */
export interface LiveStep<Roster, State, Answer> {
  readonly roster: Roster;
  readonly state: State;
  readonly lastSeq: number;
  /** When to look again without an event, milliseconds since the epoch; null: not before the next. */
  readonly dueAt: number | null;
  /** What the server is to do, in this order; mostly nothing, seldom more than one. */
  readonly orders: readonly LiveOrder[];
  /** Players who play for another team now than they were formed for. */
  readonly changedTeam: readonly { readonly playerId: string; readonly team: number }[];
  readonly answer: Answer;
}

/**
 * Why a session is not looked at: another server's or none; its server has not said yet that it is there; over; its queue's
 * rules do not ask for it.
 */
export type LiveAbsence = 'unknown' | 'not-yet' | 'over' | 'left-alone';

/** Running matches that are kept fair. What stands here survives whoever looks after it. */
export interface LiveSessionStore<Policy, Roster, State> {
  /**
   * Takes each session, makes the step, and stores what came of it with its order, all in one transaction. A step may be made
   * more than once, and only the last counts: it must do nothing else.
   *
   * @param serverId who tells; null: whoever's it is
   * @param begin what a match begins with that is told of for the first time; null: it is left alone
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
  /** The rating pools of sessions that there are. */
  poolsOf(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Forgets sessions that are over; their orders stand with the match. @returns how many */
  forgetOver(limit: number): Promise<number>;
  /** Sessions whose time to look again has come. */
  due(now: number, limit: number): Promise<string[]>;
}
