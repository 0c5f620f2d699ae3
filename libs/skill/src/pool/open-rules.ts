import type { Division, PoolRules, SkillBelief } from '@muster/domain';
import { checkIntegrityRules } from '../standing/signal.js';
import { defaultDivisions } from '../standing/divisions.js';
import { inactivityOf, type InactivityPolicy } from '../standing/inactivity.js';
import { poolModelOf, type PoolModel } from './pool-model.js';

/** A pool's rules with the model and divisions resolved. */
export interface OpenPool {
  readonly rules: PoolRules;
  readonly model: PoolModel;
  /** The belief about a new player. */
  readonly start: SkillBelief;
  readonly divisions: readonly Division[];
  /** The distance past a border at which the division changes. */
  readonly margin: number;
  /** What time without a match does; null: nothing. */
  readonly inactivity: InactivityPolicy | null;
}

/** @throws Unsolvable for an unknown model, unknown parameters, or a policy of inactivity that does not fit */
export function openRules(rules: PoolRules): OpenPool {
  const model = poolModelOf(rules);
  if (rules.integrity) checkIntegrityRules(rules.integrity, model.model);
  const start = model.model.belief(model.model.initial());
  const divisions = rules.divisions.length > 0 ? rules.divisions : defaultDivisions(start);
  return {
    rules,
    model,
    start,
    divisions,
    inactivity: rules.inactivity ? inactivityOf(rules.inactivity, divisions, model.model) : null,
    margin: rules.divisionMargin ?? start.sigma / 10,
  };
}
