import * as placement from '../http/rating/placement.js';
import { PoolParams } from '../http/rating/pools.js';
import type { Endpoint } from './endpoint.js';

/** Placement of newcomers from stats, and the tuning of pools. */
export const placementEndpoints = {
  readPlacement: {
    service: 'rating',
    method: 'GET',
    path: '/v1/pools/:pool/placement',
    summary: 'Read whether a pool places newcomers by their stats, and why.',
    callers: ['operator'],
    params: PoolParams,
    status: 200,
    answer: placement.PlacementView,
    problems: ['pool-not-found'],
  },
  rememberTuning: {
    service: 'rating',
    method: 'PUT',
    path: '/v1/pools/:pool/tuning',
    summary: 'Remember that the rules of a pool were tuned on its present history.',
    callers: ['operator'],
    params: PoolParams,
    status: 200,
    answer: placement.PoolTuned,
    problems: ['pool-not-found'],
  },
} as const satisfies Record<string, Endpoint>;
