import type { GivenEvent, PoolRules, RatingPool } from '@muster/domain';
import { openRules, type OpenPool } from '@muster/skill';
import { LRUCache } from 'lru-cache';

export type { OpenPool } from '@muster/skill';

/** Rules do not change within a version, so each pool version is opened once. Few versions are in use at a time. */
const byVersion = new LRUCache<string, OpenPool>({ max: 500 });

/** The same by identity, for many events under one value of the rules. */
const byRules = new WeakMap<PoolRules, OpenPool>();

export function opened({ rules }: Pick<RatingPool, 'name' | 'version' | 'rules'>): OpenPool {
  const found = byRules.get(rules);
  if (found) return found;
  const key = JSON.stringify(rules);
  const open = byVersion.get(key) ?? openRules(rules);
  byVersion.set(key, open);
  byRules.set(rules, open);
  return open;
}

/** An event that gives a rating, with its distance from the start value: a rebuild under another model keeps that. */
export function givenEvent(
  pool: RatingPool,
  given: Omit<GivenEvent, 'model' | 'level' | 'doubt'>,
): GivenEvent {
  const { start } = opened(pool);
  const { mu, sigma } = given;
  return {
    ...given,
    model: pool.rules.model,
    level: (mu - start.mu) / start.sigma,
    doubt: sigma === null ? null : sigma / start.sigma,
  };
}
