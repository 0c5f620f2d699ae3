import * as boosters from '../http/rating/boosters.js';
import { PoolParams } from '../http/rating/pools.js';
import type { Endpoint } from './endpoint.js';

/** Boosters of players in rating pools. */
export const boosterEndpoints = {
  grantBooster: {
    service: 'rating',
    method: 'POST',
    path: '/v1/pools/:pool/boosters',
    summary: 'Grant a player a booster: a limited number of matches in another division.',
    callers: ['operator'],
    params: PoolParams,
    body: boosters.GrantBooster,
    status: 200,
    answer: boosters.BoosterView,
    problems: ['pool-not-found', 'booster-refused', 'idempotency-key-reused'],
  },
  listBoosters: {
    service: 'rating',
    method: 'GET',
    path: '/v1/pools/:pool/boosters',
    summary: 'List a player’s boosters, newest first.',
    callers: ['operator'],
    params: PoolParams,
    query: boosters.BoostersOfPlayer,
    status: 200,
    answer: boosters.BoosterList,
    problems: ['pool-not-found'],
  },
  revokeBooster: {
    service: 'rating',
    method: 'DELETE',
    path: '/v1/pools/:pool/boosters/:boosterId',
    summary: 'Revoke a booster. No match is rated with it from then on.',
    callers: ['operator'],
    params: boosters.BoosterParams,
    query: boosters.RevokeBooster,
    status: 200,
    answer: boosters.BoosterView,
    problems: ['pool-not-found', 'booster-not-found'],
  },
  myBoosters: {
    service: 'rating',
    method: 'GET',
    path: '/v1/me/boosters',
    summary: 'Read your own boosters in a pool.',
    callers: ['player'],
    query: boosters.MyBoosters,
    status: 200,
    answer: boosters.MyBoostersView,
    problems: ['pool-not-found'],
  },
} as const satisfies Record<string, Endpoint>;
