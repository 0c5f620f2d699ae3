/** How many lines somebody may still send right now: refilled evenly, never fuller than for one second. */
export interface Allowance {
  readonly left: number;
  /** When it was counted, in milliseconds of any clock that does not go back. */
  readonly atMs: number;
}

export function fullAllowance(perSecond: number, nowMs: number): Allowance {
  return { left: perSecond, atMs: nowMs };
}

/** The allowance as it has grown by now. */
export function refilled({ left, atMs }: Allowance, perSecond: number, nowMs: number): Allowance {
  const passedMs = Math.max(0, nowMs - atMs);
  return { left: Math.min(perSecond, left + (passedMs * perSecond) / 1000), atMs: Math.max(atMs, nowMs) };
}
