import * as requests from '../http/queue/player-requests.js';
import type { Endpoint } from './endpoint.js';

/** Requests of players about their own data. */
export const playerRequestEndpoints = {
  myData: {
    service: 'queue',
    method: 'GET',
    path: '/v1/me/data',
    summary: 'Read the state of your requests for a copy of your data, or to be erased.',
    callers: ['player'],
    status: 200,
    answer: requests.MyData,
    problems: [],
  },
  requestMyData: {
    service: 'queue',
    method: 'POST',
    path: '/v1/me/data',
    summary: 'Ask for a copy of everything that is stored of you. Idempotent.',
    callers: ['player'],
    status: 202,
    answer: requests.MyData,
    problems: ['data-requests-off'],
  },
  requestMyErasure: {
    service: 'queue',
    method: 'DELETE',
    path: '/v1/me/data',
    summary: 'Ask to be erased. Idempotent; it can be withdrawn until it is done.',
    callers: ['player'],
    status: 202,
    answer: requests.MyData,
    problems: ['data-requests-off'],
  },
  withdrawDataRequest: {
    service: 'queue',
    method: 'DELETE',
    path: '/v1/me/data/:kind',
    summary: 'Withdraw a request that waits. Idempotent.',
    callers: ['player'],
    params: requests.DataRequestParams,
    status: 200,
    answer: requests.MyData,
    problems: [],
  },
} as const satisfies Record<string, Endpoint>;
