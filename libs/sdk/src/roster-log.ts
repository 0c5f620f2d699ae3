import type { RosterEventBody, RosterReceipt } from '@muster/contracts';

type WithoutSeq<T> = T extends { seq: number } ? Omit<T, 'seq'> : never;
/** An event on a session. */
export type Happening = WithoutSeq<RosterEventBody>;

interface SessionLog {
  /** Unacknowledged events, in order. */
  readonly events: Happening[];
  /** The number of acknowledged events. */
  acknowledged: number;
  /** The coordinator accepts no more events of this session. */
  closed: boolean;
}

/** The maximum number of events of one session in a call. */
const maxEvents = 500;
/** The maximum number of sessions in a call. */
const maxSessions = 200;

/** Numbers the events of sessions and stores them until the coordinator acknowledges them. */
export class RosterLog {
  private readonly sessions = new Map<string, SessionLog>();
  /** Events per call: halved after a refusal, which one of them may have caused, and doubled after success. */
  private maxPerCall = Infinity;

  add(sessionId: string, happening: Happening): void {
    const log = this.sessions.get(sessionId) ?? { events: [], acknowledged: 0, closed: false };
    this.sessions.set(sessionId, log);
    if (!log.closed) log.events.push(happening);
  }

  /** The next batch, or null. It stays the same until `acknowledge` or `refused` is called. */
  next(): { sessionId: string; events: RosterEventBody[] }[] | null {
    let left = this.maxPerCall;
    const waiting: { sessionId: string; events: RosterEventBody[] }[] = [];
    for (const [sessionId, { events, acknowledged }] of this.sessions) {
      if (left === 0 || waiting.length === maxSessions) break;
      if (events.length === 0) continue;
      const sent = events.slice(0, Math.min(left, maxEvents));
      waiting.push({ sessionId, events: sent.map((event, i) => ({ ...event, seq: acknowledged + 1 + i })) });
      left -= sent.length;
    }
    return waiting.length === 0 ? null : waiting;
  }

  /** Removes acknowledged events, and sessions that accept no more. Other events are sent again. */
  acknowledge({ sessions }: Pick<RosterReceipt, 'sessions'>): void {
    this.maxPerCall = Math.max(1, this.maxPerCall) * 2;
    for (const { sessionId, outcome, taken } of sessions) {
      const log = this.sessions.get(sessionId);
      if (!log) continue;
      // Missing events are no longer stored, so the coordinator would never accept the later ones.
      if ((outcome !== 'taken' && outcome !== 'gap') || taken < log.acknowledged) close(log);
      else {
        log.events.splice(0, taken - log.acknowledged);
        log.acknowledged = taken;
      }
    }
  }

  /**
   * The coordinator refuses the batch permanently. The next batch is smaller; a single refused event is dropped.
   *
   * @param sent the batch from `next`
   * @returns the dropped event, if any; later events take its number
   */
  refused(sent: readonly { sessionId: string; events: readonly RosterEventBody[] }[]): Happening | null {
    const events = sent.reduce((sum, each) => sum + each.events.length, 0);
    this.maxPerCall = Math.max(1, Math.floor(events / 2));
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
