import type { RosterEventBody, RosterReceipt } from '@muster/contracts';

type WithoutSeq<T> = T extends { seq: number } ? Omit<T, 'seq'> : never;
/** Something that happened on a session. */
export type Happening = WithoutSeq<RosterEventBody>;

interface SessionLog {
  /** Events that the coordinator has not taken yet, in order. */
  readonly events: Happening[];
  /** How many it has taken. */
  taken: number;
  /** Nobody wants to hear of it, now or later. */
  closed: boolean;
}

/** Events that are sent for one session at once. */
const mostEvents = 500;
/** Sessions that are told of at once. */
const mostSessions = 200;

/** What happened on sessions, numbered, until the coordinator has taken it. */
export class RosterLog {
  private readonly sessions = new Map<string, SessionLog>();
  /** Events in one call: fewer once one was refused, for one of them may be to blame, more again when one was taken. */
  private most = Infinity;

  add(sessionId: string, happening: Happening): void {
    const log = this.sessions.get(sessionId) ?? { events: [], taken: 0, closed: false };
    this.sessions.set(sessionId, log);
    if (!log.closed) log.events.push(happening);
  }

  /** What is to be told; null when there is nothing. The same until `told` or `refused` says what became of it. */
  next(): { sessionId: string; events: RosterEventBody[] }[] | null {
    let left = this.most;
    const waiting: { sessionId: string; events: RosterEventBody[] }[] = [];
    for (const [sessionId, { events, taken }] of this.sessions) {
      if (left === 0 || waiting.length === mostSessions) break;
      if (events.length === 0) continue;
      const sent = events.slice(0, Math.min(left, mostEvents));
      waiting.push({ sessionId, events: sent.map((event, i) => ({ ...event, seq: taken + 1 + i })) });
      left -= sent.length;
    }
    return waiting.length === 0 ? null : waiting;
  }

  /** Forgets what was taken, and sessions that nobody wants to hear of. What was not taken is told again. */
  told({ sessions }: Pick<RosterReceipt, 'sessions'>): void {
    this.most = Math.max(1, this.most) * 2;
    for (const { sessionId, outcome, taken } of sessions) {
      const log = this.sessions.get(sessionId);
      if (!log) continue;
      // What is missing is not here any more, so nothing after it would ever be taken.
      if ((outcome !== 'taken' && outcome !== 'gap') || taken < log.taken) close(log);
      else {
        log.events.splice(0, taken - log.taken);
        log.taken = taken;
      }
    }
  }

  /**
   * The coordinator does not take what was told and never will. Less is told next; of a single event it is known that it is to
   * blame.
   *
   * @param sent what `next` said
   * @returns the event that was let go, if one was; those after it follow in its place
   */
  refused(sent: readonly { sessionId: string; events: readonly RosterEventBody[] }[]): Happening | null {
    const events = sent.reduce((sum, each) => sum + each.events.length, 0);
    this.most = Math.max(1, Math.floor(events / 2));
    const [first] = sent;
    return events === 1 && first ? (this.sessions.get(first.sessionId)?.events.shift() ?? null) : null;
  }

  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }
}

function close(log: SessionLog): void {
  log.closed = true;
  log.events.length = 0;
}
