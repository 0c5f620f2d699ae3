import type { RosterEventBody, RosterTold } from '@muster/contracts';

type WithoutSeq<T> = T extends { seq: number } ? Omit<T, 'seq'> : never;
/** Something that happened on a session. */
export type Happening = WithoutSeq<RosterEventBody>;

interface SessionLog {
  /** Events that the coordinator has not taken yet, in order. */
  readonly events: RosterEventBody[];
  lastSeq: number;
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

  add(sessionId: string, happening: Happening): void {
    const log = this.sessions.get(sessionId) ?? { events: [], lastSeq: 0, closed: false };
    this.sessions.set(sessionId, log);
    if (log.closed) return;
    log.lastSeq += 1;
    log.events.push({ ...happening, seq: log.lastSeq });
  }

  /** What is to be told; null when there is nothing. */
  next(): { sessionId: string; events: RosterEventBody[] }[] | null {
    const waiting = [...this.sessions]
      .filter(([, { events }]) => events.length > 0)
      .slice(0, mostSessions)
      .map(([sessionId, { events }]) => ({ sessionId, events: events.slice(0, mostEvents) }));
    return waiting.length === 0 ? null : waiting;
  }

  /** Forgets what was taken, and sessions that nobody wants to hear of. What was not taken is told again. */
  told({ sessions }: RosterTold): void {
    for (const { sessionId, outcome, taken } of sessions) {
      const log = this.sessions.get(sessionId);
      if (!log) continue;
      if (outcome === 'taken' || outcome === 'gap') {
        const kept = log.events.filter(({ seq }) => seq > taken);
        log.events.splice(0, log.events.length, ...kept);
        // What is missing is not here any more, so nothing after it will ever be taken.
        if (outcome === 'gap' && (kept[0]?.seq ?? 0) > taken + 1) close(log);
      } else close(log);
    }
  }

  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }
}

function close(log: SessionLog): void {
  log.closed = true;
  log.events.length = 0;
}
