import * as integrity from '../http/rating/integrity.js';
import type { Endpoint } from './endpoint.js';

/** Cases that signals of integrity open for operators. */
export const integrityEndpoints = {
  listCases: {
    service: 'rating',
    method: 'GET',
    path: '/v1/integrity/cases',
    summary: 'List cases of integrity, newest first.',
    callers: ['operator'],
    query: integrity.PageOfCases,
    status: 200,
    answer: integrity.CaseList,
    problems: [],
  },
  readCase: {
    service: 'rating',
    method: 'GET',
    path: '/v1/integrity/cases/:caseId',
    summary: 'Read a case: what speaks for it, and what against.',
    callers: ['operator'],
    params: integrity.CaseParams,
    status: 200,
    answer: integrity.CaseView,
    problems: ['case-not-found'],
  },
  closeCase: {
    service: 'rating',
    method: 'POST',
    path: '/v1/integrity/cases/:caseId/close',
    summary: 'Close a case with a verdict. The evidence against its players starts anew.',
    callers: ['operator'],
    params: integrity.CaseParams,
    body: integrity.CloseCase,
    status: 200,
    answer: integrity.CaseView,
    problems: ['case-not-found', 'case-closed'],
  },
} as const satisfies Record<string, Endpoint>;
