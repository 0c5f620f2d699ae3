import * as integrity from '../http/rating/integrity.js';
import { endpointsOf } from './endpoint.js';

/** Cases that signals of integrity open for operators. */
export const integrityEndpoints = endpointsOf('rating', {
  listCases: {
    call: 'GET /v1/integrity/cases',
    summary: 'List cases of integrity, newest first.',
    callers: ['operator'],
    role: 'viewer',
    query: integrity.PageOfCases,
    answer: integrity.CaseList,
  },
  readCase: {
    call: 'GET /v1/integrity/cases/:caseId',
    summary: 'Read a case: what speaks for it, and what against.',
    callers: ['operator'],
    role: 'viewer',
    params: integrity.CaseParams,
    answer: integrity.CaseView,
    problems: ['case-not-found'],
  },
  closeCase: {
    call: 'POST /v1/integrity/cases/:caseId/close',
    summary: 'Close a case with a verdict. The evidence against its players starts anew.',
    callers: ['operator'],
    role: 'support',
    params: integrity.CaseParams,
    body: integrity.CloseCase,
    answer: integrity.CaseView,
    problems: ['case-not-found', 'case-closed'],
  },
});
