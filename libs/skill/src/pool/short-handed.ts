import { Unsolvable, type ShortHandedRules } from '@muster/domain';

/** Checks the rules. @returns the same @throws Unsolvable with what is out of range */
export function readShortHandedRules(rules: ShortHandedRules): ShortHandedRules {
  if (!(rules.odds >= 0 && rules.odds <= 50))
    throw new Unsolvable(
      `The log-odds of a team’s size (shortHanded.odds) must be from 0 to 50; this is ${rules.odds}.`,
    );
  if (!(rules.mates >= 0 && rules.mates <= 1))
    throw new Unsolvable(
      `The share of their loss that mates keep (shortHanded.mates) must be from 0 to 1; this is ${rules.mates}.`,
    );
  return rules;
}
