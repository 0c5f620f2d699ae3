import { own, Unsolvable, type AspectRules, type PoolRules } from '@muster/domain';

/** The largest strength of an aspect that a change may set: it moves an even match to 95 %. Stored rules may have more. */
export const mostNewStrength = 3;

/**
 * Refuses what rules of before may have, and a change may not add: likely slips, such as 9 for 0.9. Parts that stay as they were
 * are accepted.
 *
 * @throws Unsolvable with the first one
 */
export function checkNew({ aspects }: Partial<PoolRules>, before: PoolRules): void {
  const flaw = aspects && newStrengthFlaw(aspects, before.aspects ?? {});
  if (flaw) throw new Unsolvable(flaw);
}

/** Why strengths may not be set, as a sentence; null if they may. */
export function newStrengthFlaw(given: AspectRules, before: AspectRules = {}): string | null {
  for (const [name, strength] of Object.entries(given))
    if (strength > mostNewStrength && own(before, name) !== strength)
      return `The strength of the aspect "${name}" must be at most ${mostNewStrength}, not ${strength}: it is in log-odds of a team, and ${mostNewStrength} already moves an even match to 95 %. Most pools need less than 1.`;
  return null;
}
