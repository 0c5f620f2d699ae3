/**
 * Whether a process could hear. Silence of a server or a player is judged only over time in which every replica that may have
 * been called could hear the call: a stalled store, a stopped process, a paused machine or a clock that jumps makes the time
 * before it worthless.
 */

/** What one replica says of itself in the store, in milliseconds since the epoch. */
export interface ReplicaHearing {
  readonly replicaId: string;
  /** When it last said so. */
  readonly seenAt: number;
  /** From when on it has heard without a break. */
  readonly hearsSince: number;
}

/** How hearing is judged, in milliseconds. */
export interface HearingLimits {
  /** A break of up to so long between two signs of life is none. */
  readonly toleranceMs: number;
  /** A replica that gave no sign for so long is gone: callers have turned to others by then. */
  readonly goneMs: number;
}

/** One reading of a process's two clocks. */
export interface ClockReading {
  /** Never jumps; may stand still while the machine is paused. */
  readonly monotonicMs: number;
  /** The machine's idea of the time of day, which may be set at any moment. */
  readonly wallMs: number;
}

/**
 * Whether a process ran without a break between two readings: no long time passed, and both clocks agree on how long it was.
 * They disagree when the machine was paused (the monotonic clock stood still) or its clock was set.
 */
export function ranOn(before: ClockReading, after: ClockReading, toleranceMs: number): boolean {
  const monotonic = after.monotonicMs - before.monotonicMs;
  const wall = after.wallMs - before.wallMs;
  return monotonic <= toleranceMs && Math.abs(wall - monotonic) <= toleranceMs;
}

/**
 * From when on all replicas have heard without a break.
 *
 * 1. A replica that was seen lately has heard since it says so.
 * 2. One that was not is stopped, cut off or dead; calls to it may hang unheard. Nobody knows: null.
 * 3. Once that has lasted for `goneMs`, calls no longer go to it. From then on it does not count.
 *
 * @returns null while a replica is missing, or when there is none
 */
export function allHearSince(
  replicas: readonly ReplicaHearing[],
  now: number,
  { toleranceMs, goneMs }: HearingLimits,
): number | null {
  let since: number | null = null;
  for (const { seenAt, hearsSince } of replicas) {
    const missingMs = now - seenAt;
    if (missingMs > toleranceMs && missingMs <= goneMs) return null;
    since = Math.max(since ?? -Infinity, missingMs > goneMs ? seenAt + goneMs : hearsSince);
  }
  return since;
}
