import type { PoolRules } from '@muster/domain';

/** The default rules of a pool. */
export const defaultPoolRules: PoolRules = {
  model: 'openskill-plackett-luce',
  parameters: {},
  aggregation: 'learned',
  circumstances: ['side', 'map', 'venue'],
  partyBonus: 'learned',
  shadowMatches: 50,
  shadowCap: null,
  divisions: [],
  divisionMargin: null,
  staleAfterDays: 30,
  convergedBelow: 0.5,
};
