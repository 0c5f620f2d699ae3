/** A moment at which something was meant to happen, whether or not the machine got round to it in time. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly epochMs: number;
  /** Milliseconds from the moment until now. */
  sinceMs(): number;
}

const leadMs = 500;
const tickMs = 2;

/**
 * Begins each arrival at its moment; those that are late are begun at once, and their moment stays what it was.
 *
 * @param moments milliseconds from the start, rising
 * @returns once all have begun
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
