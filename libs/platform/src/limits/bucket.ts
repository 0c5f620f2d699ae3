/** How fast a bucket fills, and how much it holds. */
export interface Rate {
  /** Calls that a full bucket holds. */
  readonly burst: number;
  /** Calls that are added in a minute. */
  readonly perMinute: number;
}

/** A rate in milliseconds. */
export interface Pace {
  /** The time in which one call is added. */
  readonly everyMs: number;
  /** The time in which an empty bucket becomes full. */
  readonly fillMs: number;
}

/** The pace of a rate. */
export function paceOf({ burst, perMinute }: Rate): Pace {
  const everyMs = 60_000 / perMinute;
  return { everyMs, fillMs: burst * everyMs };
}

/*
 * A token bucket as GCRA keeps it: one number, the time at which it will be full if nobody takes from it. What was taken moves it
 * away by `everyMs`; time itself brings it nearer.
 */

/** What should be a whole call may lack this part of it, by rounding. */
const rounding = 1e-6;

/** The time until a call can be taken from a bucket; 0 if one can be now. */
export function waitMs(fullAt: number, now: number, { everyMs, fillMs }: Pace): number {
  const wait = everyMs - (fillMs - Math.max(0, fullAt - now));
  return wait > everyMs * rounding ? wait : 0;
}

/** The bucket after a call was taken. */
export function taken(fullAt: number, now: number, { everyMs }: Pace): number {
  return Math.max(fullAt, now) + everyMs;
}

/** The calls that can be taken now. */
export function left(fullAt: number, now: number, { everyMs, fillMs }: Pace): number {
  return Math.max(0, Math.floor((fillMs - Math.max(0, fullAt - now)) / everyMs + rounding));
}
