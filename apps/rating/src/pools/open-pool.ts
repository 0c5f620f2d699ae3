import type { Division, PoolRules, RatingPool, SkillBelief } from '@muster/domain';
import { defaultDivisions, poolModelOf, type PoolModel } from '@muster/skill';
import { LRUCache } from 'lru-cache';

/** A pool's rules made ready for use. */
export interface OpenPool {
  readonly rules: PoolRules;
  readonly model: PoolModel;
  /** What is believed of a stranger. */
  readonly start: SkillBelief;
  readonly divisions: readonly Division[];
  /** How far past a border a mean must be before the division changes. */
  readonly margin: number;
}

/** Rules do not change within a version, so a pool is opened once. Few versions are in use at a time. */
const known = new LRUCache<string, OpenPool>({ max: 500 });

/** The same by the value itself, where many events are rated under one. */
const held = new WeakMap<PoolRules, OpenPool>();

export function opened({ rules }: Pick<RatingPool, 'name' | 'version' | 'rules'>): OpenPool {
  const found = held.get(rules);
  if (found) return found;
  const open = openedAlike(rules);
  held.set(rules, open);
  return open;
}

function openedAlike(rules: PoolRules): OpenPool {
  const key = JSON.stringify(rules);
  const found = known.get(key);
  if (found) return found;
  const open = openRules(rules);
  known.set(key, open);
  return open;
}

/** @throws Unsolvable when the rules name no model, or parameters that it has not */
export function openRules(rules: PoolRules): OpenPool {
  const model = poolModelOf(rules);
  const start = model.model.belief(model.model.initial());
  return {
    rules,
    model,
    start,
    divisions: rules.divisions.length > 0 ? rules.divisions : defaultDivisions(start),
    margin: rules.divisionMargin ?? start.sigma / 10,
  };
}
