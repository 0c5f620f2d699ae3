import type { CreatePool, PoolRulesBody } from '@muster/contracts';
import { PoolInvalid, RebuildRunning, Unsolvable, type PoolRules, type RatingPool } from '@muster/domain';
import { changedRules, newPoolRules, uncalibrated } from '@muster/skill';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresPools } from './pools.store.js';

/** Creates, reads and changes pools; each change is a version. */
export class Pools {
  constructor(
    private readonly store: Pick<PostgresPools, 'create' | 'change'>,
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
  ) {}

  /** Creates a pool; an existing one is unchanged. @throws PoolInvalid */
  async create({
    name,
    gameMode,
    modifiers,
    ...given
  }: CreatePool): Promise<RatingPool & { created: boolean }> {
    const { pool, created } = await this.store.create({
      name,
      gameMode,
      // Sorted: the order of modifiers has no meaning.
      modifiers: [...new Set(modifiers)].toSorted(),
      rules: readRules(given, newPoolRules),
      calibration: uncalibrated,
    });
    return { ...pool, created };
  }

  /** Changes the rules from now on, as a new version. @throws PoolInvalid, RebuildRunning, UnknownPool */
  async change(name: string, given: PoolRulesBody): Promise<RatingPool> {
    for (let attempt = 1; attempt <= 5; attempt++) {
      const pool = await this.ratings.pool(name);
      const rules = readRules(given, pool.rules);
      if (rules.model !== pool.rules.model)
        throw new PoolInvalid(
          `The ratings of "${name}" are of the model ${pool.rules.model}; another model requires a rebuild: POST /v1/pools/${name}/rebuilds.`,
          { model: pool.rules.model },
        );
      const changed = await this.store.change(
        pool,
        rules,
        pool.calibration,
        `An operator changed ${Object.keys(given).join(', ') || 'nothing'}.`,
      );
      if (changed) return changed;
    }
    throw new RebuildRunning(
      `"${name}" is being rebuilt; change its rules afterwards: GET /v1/pools/${name}/rebuilds.`,
    );
  }
}

/** The current rules with the given changes. @throws PoolInvalid with the errors */
export function readRules(given: PoolRulesBody, before: PoolRules): PoolRules {
  try {
    return changedRules(given, before);
  } catch (error) {
    if (error instanceof Unsolvable) throw new PoolInvalid(error.message, error.facts);
    throw error;
  }
}
