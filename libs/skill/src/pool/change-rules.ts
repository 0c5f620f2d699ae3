import { Unsolvable, type AspectRules, type PoolRules } from '@muster/domain';
import { kindNamed } from '../models.js';
import { readDivisions } from '../standing/divisions.js';
import { rangeFlaw } from '../valid-range.js';
import { checkNew } from './new-rules.js';
import { openRules } from './open-rules.js';

/**
 * A pool's rules with changes, as the service accepts them.
 *
 * @throws Unsolvable with the first error
 */
export function changedRules(given: Partial<PoolRules>, before: PoolRules): PoolRules {
  const sameModel = given.model === undefined || given.model === before.model;
  if (given.model !== undefined) kindNamed(given.model);
  // Parameters belong to a model: another model starts from its defaults.
  const from = sameModel ? before : inUnitsOf({ ...before, parameters: {}, ...given }, before);
  const rules: PoolRules = {
    ...from,
    ...given,
    ...(given.aspects ? { aspects: someOf(given.aspects) } : {}),
  };
  const { divisions, margin, model } = openRules(rules);
  checkNew(given, before);
  readDivisions(divisions, margin);
  // A player who leaves the shadow may get this rating.
  if (rules.shadowCap !== null) {
    const beyond = rangeFlaw({ mu: rules.shadowCap }, model.model.range, rules.model);
    if (beyond) throw new Unsolvable(`shadowCap ${beyond.message}.`);
  }
  return rules;
}

/** Aspects; null if there are none. */
function someOf(aspects: AspectRules): AspectRules | null {
  return Object.values(aspects).some((strength) => strength !== undefined) ? aspects : null;
}

/**
 * Rules under another model. Values in the units of the previous model (divisions, their margin, the shadow's cap) keep
 * their distance from the start value, in start uncertainties, as set ratings do.
 */
function inUnitsOf(rules: PoolRules, before: PoolRules): PoolRules {
  const [old, start] = [openRules(before).start, openRules(rules).start];
  const scale = start.sigma / old.sigma;
  const moved = (value: number | null): number | null =>
    value === null ? null : start.mu + (value - old.mu) * scale;
  return {
    ...rules,
    divisions: before.divisions.map(({ name, from }) => ({ name, from: moved(from) })),
    divisionMargin: before.divisionMargin === null ? null : before.divisionMargin * scale,
    shadowCap: moved(before.shadowCap),
  };
}
