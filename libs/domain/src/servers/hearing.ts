/**
 * Whether a process could hear. Silence of a server or a player counts only over time in which every replica that may have
 * been called could hear the call: a stalled store, a stopped process, a paused machine or a clock jump invalidates the
 * time before it.
 */

/** A replica's own record in the store, in milliseconds since the epoch. */
export interface ReplicaHearing {
  readonly replicaId: string;
  /** When it was last updated. */
  readonly seenAt: number;
  /** Since when it has heard without an outage. */
  readonly hearsSince: number;
}

/** Thresholds of hearing, in milliseconds. */
export interface HearingLimits {
  /** A gap of at most this length between two heartbeats is no outage. */
  readonly toleranceMs: number;
  /** A replica without a heartbeat for this long is gone: callers use others by then. */
  readonly goneMs: number;
}

/** One reading of a process's two clocks. */
export interface ClockReading {
  /** Never jumps; may stand still while the machine is paused. */
  readonly monotonicMs: number;
  /** The machine's time of day, which may be set at any moment. */
  readonly wallMs: number;
}

/**
 * Whether a process ran without a pause between two readings: the elapsed time is short, and both clocks agree on it. They
 * disagree when the machine was paused (the monotonic clock stood still) or its clock was set.
 */
export function ranWithoutPause(before: ClockReading, after: ClockReading, toleranceMs: number): boolean {
  const monotonic = after.monotonicMs - before.monotonicMs;
  const wall = after.wallMs - before.wallMs;
  return monotonic <= toleranceMs && Math.abs(wall - monotonic) <= toleranceMs;
}

/**
 * Since when all replicas have heard without an outage.
 *
 * 1. A replica that was seen recently has heard since its recorded time.
 * 2. One that was not is stopped, cut off or dead; calls to it may hang. The answer is unknown: null.
 * 3. Once that has lasted for `goneMs`, calls no longer reach it, and it no longer counts.
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

/** The time over which at least half of a group of servers were heard; empty when `since` is not before `until`. */
export interface Heard {
  readonly since: number;
  readonly until: number;
}

/**
 * How long a server has been silent while servers could be heard, in milliseconds. When most of a group fall silent
 * together, the way between them and the allocators is broken, and their silence says nothing.
 *
 * 1. In each group, only time counts in which at least half of the servers were heard without a gap: a group that falls
 *    silent stops the count, and one that is heard again starts a new one.
 * 2. A group that has been silent for `massSilenceMs` is judged all the same: its servers may all be dead. This alone ends
 *    the matches of a fleet of one server.
 * 3. The group with the least time decides.
 *
 * @param groups when all servers were heard, and those of its region and of its allocator if they are several
 */
export function silentMs(
  heardAt: number,
  groups: readonly Heard[],
  now: number,
  { massSilenceMs }: { readonly massSilenceMs: number },
): number {
  const each = groups.map(({ since, until }) =>
    now - until > massSilenceMs ? now - heardAt : Math.max(0, until - Math.max(heardAt, since)),
  );
  return Math.min(...each);
}
