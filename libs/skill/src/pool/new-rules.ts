import { own, Unsolvable, type AspectRules, type InactivityRules, type PoolRules } from '@muster/domain';

/** The largest strength of an aspect that a change may set: it moves an even match to 95 %. Stored rules may have more. */
export const mostNewStrength = 3;

/** The names of the parts of inactivity in a sentence. */
const inRules = { after: 'afterDays', forgotten: 'forgottenAfterDays' };

/**
 * Refuses what rules of before may have, and a change may not add: likely slips, such as 9 for 0.9. Parts that stay as they were
 * are accepted.
 *
 * @throws Unsolvable with the first one
 */
export function checkNew({ aspects, inactivity }: Partial<PoolRules>, before: PoolRules): void {
  const flaw =
    (aspects && newStrengthFlaw(aspects, before.aspects ?? {})) ??
    (inactivity && !isSame(inactivity, before.inactivity) ? newInactivityFlaw(inactivity) : null);
  if (flaw) throw new Unsolvable(flaw);
}

/** Why strengths may not be set, as a sentence; null if they may. */
export function newStrengthFlaw(given: AspectRules, before: AspectRules = {}): string | null {
  for (const [name, strength] of Object.entries(given))
    if (strength > mostNewStrength && own(before, name) !== strength)
      return `The strength of the aspect "${name}" must be at most ${mostNewStrength}, not ${strength}: it is in log-odds of a team, and ${mostNewStrength} already moves an even match to 95 %. Most pools need less than 1.`;
  return null;
}

/** Why a policy of inactivity may not be set, as a sentence; null if it may. @param names of its parts */
export function newInactivityFlaw(
  { afterDays, forgottenAfterDays }: InactivityRules,
  { after, forgotten } = inRules,
): string | null {
  if (forgottenAfterDays === undefined || forgottenAfterDays >= afterDays) return null;
  return (
    `${forgotten} (${forgottenAfterDays}) must be at least ${after} (${afterDays}): a rating that rests for ${afterDays} days would be ` +
    `forgotten in fewer days than that. Raise ${forgotten}, or lower ${after}.`
  );
}

function isSame(one: InactivityRules, other: InactivityRules | null | undefined): boolean {
  return one.afterDays === other?.afterDays && one.forgottenAfterDays === other.forgottenAfterDays;
}
