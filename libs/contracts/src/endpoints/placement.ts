import * as placement from '../http/rating/placement.js';
import { PoolParams } from '../http/rating/pools.js';
import { endpointsOf } from './endpoint.js';

/** Placement of newcomers from stats, and the tuning of pools. */
export const placementEndpoints = endpointsOf('rating', {
  readPlacement: {
    call: 'GET /v1/pools/:pool/placement',
    summary: 'Read whether a pool places newcomers by their stats, and why.',
    callers: ['operator'],
    role: 'viewer',
    params: PoolParams,
    answer: placement.PlacementView,
    problems: ['pool-not-found'],
  },
  rememberTuning: {
    call: 'PUT /v1/pools/:pool/tuning',
    summary: 'Remember that the rules of a pool were tuned on its present history.',
    callers: ['operator'],
    role: 'operator',
    params: PoolParams,
    answer: placement.PoolTuned,
    problems: ['pool-not-found'],
  },
});
