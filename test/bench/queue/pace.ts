/** A scheduled moment; the machine may be late. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly epochMs: number;
  /** Milliseconds from the scheduled moment until now. */
  sinceMs(): number;
}

const leadMs = 500;
const tickMs = 2;

/** The moment from which the schedule counts, by both clocks of this process. */
export interface Origin {
  readonly epochMs: number;
  /** By `performance.now()`. */
  readonly at: number;
}

/** @returns an origin that is soon enough to be reached without delay */
export function origin(): Origin {
  return { epochMs: Date.now() + leadMs, at: performance.now() + leadMs };
}

/** Resolves at a moment of the schedule, in milliseconds from the origin. */
export function reached(from: Origin, ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, from.at + ms - performance.now())));
}

/**
 * Starts each arrival at its scheduled moment, late ones immediately; times still count from the schedule.
 *
 * @param moments milliseconds from the origin, ascending
 * @returns once all have started
 */
export function pace(
  moments: readonly number[],
  begin: (arrival: number, moment: Moment) => void,
  from = origin(),
): Promise<void> {
  let next = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now() - from.at;
      for (let at = moments[next]; at !== undefined && at <= now; at = moments[++next]) {
        const meant = at;
        begin(next, {
          epochMs: from.epochMs + meant,
          sinceMs: () => performance.now() - from.at - meant,
        });
      }
      if (next < moments.length) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
}
