/** A token bucket of lines: refilled evenly, full with the lines of one second. */
export interface TokenBucket {
  readonly tokens: number;
  /** The time of the count, in milliseconds of a monotonic clock. */
  readonly atMs: number;
}

export function fullBucket(perSecond: number, nowMs: number): TokenBucket {
  return { tokens: perSecond, atMs: nowMs };
}

/** The bucket refilled up to now. */
export function refill({ tokens, atMs }: TokenBucket, perSecond: number, nowMs: number): TokenBucket {
  const passedMs = Math.max(0, nowMs - atMs);
  return { tokens: Math.min(perSecond, tokens + (passedMs * perSecond) / 1000), atMs: Math.max(atMs, nowMs) };
}
