/** A scheduled moment; the machine may be late. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly epochMs: number;
  /** Milliseconds from the scheduled moment until now. */
  sinceMs(): number;
}

const leadMs = 500;
const tickMs = 2;

/**
 * Starts each arrival at its scheduled moment, late ones immediately; times still count from the schedule.
 *
 * @param moments milliseconds from the start, ascending
 * @returns once all have started
 */
export function pace(
  moments: readonly number[],
  begin: (arrival: number, moment: Moment) => void,
): Promise<void> {
  const origin = performance.now() + leadMs;
  const originEpoch = Date.now() + leadMs;
  let next = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now() - origin;
      for (let at = moments[next]; at !== undefined && at <= now; at = moments[++next]) {
        const meant = at;
        begin(next, {
          epochMs: originEpoch + meant,
          sinceMs: () => performance.now() - origin - meant,
        });
      }
      if (next < moments.length) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
}
