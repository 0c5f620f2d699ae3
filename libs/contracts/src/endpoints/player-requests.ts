import * as requests from '../http/queue/player-requests.js';
import { endpointsOf } from './endpoint.js';

/** Requests of players about their own data. */
export const playerRequestEndpoints = endpointsOf('queue', {
  myData: {
    call: 'GET /v1/me/data',
    summary: 'Read the state of your requests for a copy of your data, or to be erased.',
    callers: ['player'],
    answer: requests.MyData,
  },
  requestMyData: {
    call: 'POST /v1/me/data',
    summary: 'Ask for a copy of everything that is stored of you. Idempotent.',
    callers: ['player'],
    status: 202,
    answer: requests.MyData,
    problems: ['data-requests-off'],
  },
  requestMyErasure: {
    call: 'DELETE /v1/me/data',
    summary: 'Ask to be erased. Idempotent; it can be withdrawn until it is done.',
    callers: ['player'],
    status: 202,
    answer: requests.MyData,
    problems: ['data-requests-off'],
  },
  withdrawDataRequest: {
    call: 'DELETE /v1/me/data/:kind',
    summary: 'Withdraw a request that waits. Idempotent.',
    callers: ['player'],
    params: requests.DataRequestParams,
    answer: requests.MyData,
  },
});
