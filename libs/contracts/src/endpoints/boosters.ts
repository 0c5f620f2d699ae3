import * as boosters from '../http/rating/boosters.js';
import { PoolParams } from '../http/rating/pools.js';
import { endpointsOf } from './endpoint.js';

/** Boosters of players in rating pools. */
export const boosterEndpoints = endpointsOf('rating', {
  grantBooster: {
    call: 'POST /v1/pools/:pool/boosters',
    summary: 'Grant a player a booster: a limited number of matches in another division.',
    callers: ['operator'],
    role: 'support',
    params: PoolParams,
    body: boosters.GrantBooster,
    answer: boosters.BoosterView,
    problems: ['pool-not-found', 'booster-refused', 'idempotency-key-reused'],
  },
  listBoosters: {
    call: 'GET /v1/pools/:pool/boosters',
    summary: 'List a player’s boosters, newest first.',
    callers: ['operator'],
    role: 'viewer',
    params: PoolParams,
    query: boosters.BoostersOfPlayer,
    answer: boosters.BoosterList,
    problems: ['pool-not-found'],
  },
  revokeBooster: {
    call: 'DELETE /v1/pools/:pool/boosters/:boosterId',
    summary: 'Revoke a booster. No match is rated with it from then on.',
    callers: ['operator'],
    role: 'support',
    params: boosters.BoosterParams,
    query: boosters.RevokeBooster,
    answer: boosters.BoosterView,
    problems: ['pool-not-found', 'booster-not-found'],
  },
  myBoosters: {
    call: 'GET /v1/me/boosters',
    summary: 'Read your own boosters in a pool.',
    callers: ['player'],
    query: boosters.MyBoosters,
    answer: boosters.MyBoostersView,
    problems: ['pool-not-found'],
  },
});
