import type { Division, PoolRules, RatingPool, SkillBelief } from '@muster/domain';
import {
  defaultDivisions,
  inactivityOf,
  poolModelOf,
  readBoosterRules,
  readIntegrityRules,
  readPlacementDemands,
  readSeasonRules,
  type InactivityPolicy,
  type PoolModel,
} from '@muster/skill';
import { LRUCache } from 'lru-cache';

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

/** Rules do not change within a version, so each pool version is opened once. Few versions are in use at a time. */
const byVersion = new LRUCache<string, OpenPool>({ max: 500 });

/** The same by identity, for many events under one value of the rules. */
const byRules = new WeakMap<PoolRules, OpenPool>();

export function opened({ rules }: Pick<RatingPool, 'name' | 'version' | 'rules'>): OpenPool {
  const found = byRules.get(rules);
  if (found) return found;
  const open = openedAlike(rules);
  byRules.set(rules, open);
  return open;
}

function openedAlike(rules: PoolRules): OpenPool {
  const key = JSON.stringify(rules);
  const found = byVersion.get(key);
  if (found) return found;
  const open = openRules(rules);
  byVersion.set(key, open);
  return open;
}

/** @throws Unsolvable for an unknown model, unknown parameters, or a policy of inactivity that does not fit */
export function openRules(rules: PoolRules): OpenPool {
  const model = poolModelOf(rules);
  if (rules.season) readSeasonRules(rules.season);
  if (rules.boosters) readBoosterRules(rules.boosters);
  if (rules.integrity) readIntegrityRules(rules.integrity, model.model);
  if (rules.placement) readPlacementDemands(rules.placement);
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
