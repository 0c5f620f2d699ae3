import type { Settlement } from './deliveries.store.js';

/** A response, or why there is none. */
export interface Reply {
  readonly status: number | null;
  readonly error: string | null;
  /** From `Retry-After`. */
  readonly retryAfterMs: number | null;
}

/** How long an event is tried. */
export const triedForDaysMs = 86_400_000;
const [firstPauseMs, lastPauseMs] = [1_000, 3_600_000];

/** Whether a receiver has the event. */
export const isTaken = ({ status }: Reply): boolean => status !== null && status >= 200 && status < 300;

/**
 * What becomes of an attempt: any 2xx is a receipt; otherwise the pause doubles from a second to an hour, until the event was
 * tried for a day.
 *
 * @param random in [0, 1): spreads the attempts of many events
 */
export function settlementOf(
  reply: Reply,
  { attempts, triedForMs }: { readonly attempts: number; readonly triedForMs: number },
  random: number,
): Settlement {
  const { status } = reply;
  if (isTaken(reply)) return { state: 'delivered', afterMs: 0, status, error: null };
  const error = reply.error ?? `the receiver answered ${status}`;
  if (triedForMs >= triedForDaysMs) return { state: 'dead', afterMs: 0, status, error };
  const pause = Math.min(lastPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20)) * (0.75 + random / 2);
  return { state: 'due', afterMs: Math.max(pause, askedPauseMs(reply)), status, error };
}

/** A receiver may ask for a pause, but not for one in which an event would become a dead letter. */
const askedPauseMs = ({ retryAfterMs }: Reply): number => Math.min(lastPauseMs, retryAfterMs ?? 0);

/** Attempts at the same time to a receiver that answers. */
export const widest = 8;
/** After so many failures in a row a receiver is away, and one event at a time asks whether it is back. */
const awayAfter = 3;
/** It is asked at intervals of a quarter of its absence, within these bounds. */
const [shortestProbeMs, longestProbeMs] = [50, 30_000];
/** After a shorter absence the pauses of single events are short as well. */
const longAbsenceMs = 10_000;

/** How many attempts a receiver gets at the same time, and when. One that fails gets few: it slows only itself. */
export class Lane {
  open = 0;
  private failures = 0;
  private failingSince = 0;
  private notBefore = 0;

  /** @param url a receiver at another address is another one */
  constructor(readonly url: string) {}

  /** Whether a new lane would say the same. */
  get isUnused(): boolean {
    return this.open === 0 && this.failures === 0;
  }

  /** @param now milliseconds of a monotonic clock */
  free(now: number): number {
    if (now < this.notBefore) return 0;
    return Math.max(0, (this.isAway ? 1 : widest) - this.open);
  }

  /**
   * Notes an attempt. A receiver that takes some events and refuses others is never away for long: each receipt ends an
   * absence.
   *
   * @returns how long the receiver was away, if it is back after a long absence
   */
  note(reply: Reply, now: number): number | null {
    if (isTaken(reply)) {
      const absenceMs = this.isAway ? now - this.failingSince : 0;
      [this.failures, this.notBefore] = [0, 0];
      return absenceMs >= longAbsenceMs ? absenceMs : null;
    }
    if (this.failures === 0) this.failingSince = now;
    this.failures += 1;
    const pauseMs = Math.min(longestProbeMs, Math.max(shortestProbeMs, (now - this.failingSince) / 4));
    this.notBefore = now + Math.max(this.isAway ? pauseMs : 0, askedPauseMs(reply));
    return null;
  }

  private get isAway(): boolean {
    return this.failures >= awayAfter;
  }
}
