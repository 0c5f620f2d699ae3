import { mostClockSkewMs, type SkillBelief } from '@muster/domain';

/** Whether a rating is still hidden from players, and for how many more matches. The solver uses it all the same. */
export interface Shadow {
  readonly hidden: boolean;
  readonly left: number;
}

/** @param matches matches rated so far @param shadowMatches matches for which a rating is hidden */
export function shadowOf({
  matches,
  shadowMatches = 50,
}: {
  readonly matches: number;
  readonly shadowMatches?: number | undefined;
}): Shadow {
  const left = Math.max(0, shadowMatches - matches);
  return { hidden: left > 0, left };
}

/**
 * The rating that becomes visible when the shadow period ends.
 *
 * @param cap the highest visible mean, in the model's units (2200 in SynElo pools); none when absent
 */
export function graduate({ mu, sigma }: SkillBelief, cap = Infinity): SkillBelief {
  return { mu: Math.min(mu, cap), sigma };
}

const day = 86_400_000;

/**
 * Whether a rating is stale: older than a number of days. A rating without matches is not. A rating with a future time,
 * from a wrong clock, is: its age is unknown.
 *
 * @param lastRatedAt, now milliseconds since the epoch
 */
export function isStale(lastRatedAt: number | null, now: number, days = 30): boolean {
  if (lastRatedAt === null) return false;
  return now - lastRatedAt > days * day || lastRatedAt - now > mostClockSkewMs;
}
