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
  return { state: 'due', afterMs: Math.max(pause, reply.retryAfterMs ?? 0), status, error };
}

/** Attempts at the same time to a receiver that answers. */
const widest = 8;
/** After so many failures in a row a receiver is away, and one event at a time asks whether it is back. */
const awayAfter = 3;
const longestProbeMs = 30_000;

/** How many attempts a receiver gets at the same time, and when. One that fails gets few: it slows only itself. */
export class Lane {
  open = 0;
  private failures = 0;
  private notBefore = 0;

  get isAway(): boolean {
    return this.failures >= awayAfter;
  }

  /** @param now milliseconds of a monotonic clock */
  free(now: number): number {
    if (now < this.notBefore) return 0;
    return Math.max(0, (this.isAway ? 1 : widest) - this.open);
  }

  /** @returns whether the receiver has come back */
  note(reply: Reply, now: number): boolean {
    const wasAway = this.isAway;
    if (isTaken(reply)) {
      [this.failures, this.notBefore] = [0, 0];
      return wasAway;
    }
    this.failures += 1;
    const pause = this.isAway ? Math.min(longestProbeMs, 1_000 * 2 ** (this.failures - awayAfter)) : 0;
    this.notBefore = now + Math.max(pause, Math.min(reply.retryAfterMs ?? 0, lastPauseMs));
    return false;
  }
}
