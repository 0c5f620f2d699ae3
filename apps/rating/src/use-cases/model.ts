import type { RateMatch, RatingPool } from '@muster/domain';
import { modelNamed } from '@muster/skill';

/** Rates with the model that the pool names. */
export const poolModel: RateMatch = {
  initial: (pool: RatingPool) => modelNamed(pool.model).initial(pool.parameters),
  predict: (pool, teams) => modelNamed(pool.model).predict(teams, pool.parameters),
  rate: (pool, teams, ranks) => modelNamed(pool.model).rate(teams, ranks, pool.parameters),
};
