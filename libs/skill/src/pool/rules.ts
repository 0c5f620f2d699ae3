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

/** The rules of a new pool where nothing else is said. Pools from before these have {@link defaultPoolRules}. */
export const newPoolRules: PoolRules = {
  ...defaultPoolRules,
  shortHanded: { odds: 5, leavers: 'full', mates: 0.75 },
};
