/** How one ticket's waiting ended, as input for estimates. */
export interface PastWait {
  readonly skill: number;
  readonly players: number;
  /** Its nearest region; null when any will do. */
  readonly region: string | null;
  readonly waitedMs: number;
  /** False when it was cancelled or expired: it would have waited longer. */
  readonly matched: boolean;
}

/** The estimated time until a ticket is matched. */
export interface WaitEstimate {
  /** A quarter of similar tickets were matched sooner than this, from now on, in milliseconds. */
  readonly fromMs: number;
  /** A quarter waited longer; null when fewer than three quarters of them were matched at all. */
  readonly toMs: number | null;
  /** The number of similar tickets. */
  readonly basedOn: number;
}

/** Past tickets per estimate, the most similar ones; and how many of them must have been matched. */
const alike = 60;
const fewest = 8;

/**
 * Estimates the remaining wait from similar past tickets: the quartiles of the product-limit estimate (Kaplan & Meier
 * 1958), given the wait so far. A ticket that gave up is censored, so that impatience does not make waits look short.
 *
 * @param past the latest last, of one queue
 * @param scale difference in units of skill that weighs as much as another region or party size
 * @returns null when too few similar tickets were matched
 */
export function estimateWait(
  past: readonly PastWait[],
  ticket: Pick<PastWait, 'skill' | 'players' | 'region'>,
  waitedMs: number,
  scale: number,
): WaitEstimate | null {
  const difference = (other: PastWait): number =>
    Math.abs(other.skill - ticket.skill) / scale +
    (other.players === ticket.players ? 0 : 1) +
    (other.region === ticket.region ? 0 : 1);
  const near = past
    .map((wait, i) => ({ wait, difference: difference(wait), age: past.length - i }))
    .sort((a, b) => a.difference - b.difference || a.age - b.age)
    .slice(0, alike)
    .map(({ wait }) => wait)
    .filter((wait) => wait.waitedMs >= waitedMs)
    .sort((a, b) => a.waitedMs - b.waitedMs);
  if (near.filter(({ matched }) => matched).length < fewest) return null;
  const quartile = (share: number): number | null => {
    let surviving = 1;
    for (const [i, wait] of near.entries()) {
      if (wait.matched) surviving *= 1 - 1 / (near.length - i);
      if (surviving <= 1 - share) return wait.waitedMs - waitedMs;
    }
    return null;
  };
  const fromMs = quartile(0.25);
  return fromMs === null ? null : { fromMs, toMs: quartile(0.75), basedOn: near.length };
}
