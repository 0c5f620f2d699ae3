import * as logins from '../http/logins.js';
import * as operators from '../http/operators.js';
import { endpointsOf } from './endpoint.js';

/** Keys of operators and what they did. The queue service answers for all of them. */
export const operatorEndpoints = endpointsOf('queue', {
  whoAmI: {
    call: 'GET /v1/me/operator',
    summary: 'Read the name and the role that your key or token has.',
    callers: ['operator'],
    role: 'viewer',
    answer: operators.OperatorView,
  },
  createKey: {
    call: 'POST /v1/keys',
    summary: 'Create an operator key. The answer is the only place that shows it.',
    callers: ['operator'],
    role: 'admin',
    body: operators.CreateKey,
    status: 201,
    answer: operators.KeyCreated,
    problems: ['too-many-keys'],
  },
  listKeys: {
    call: 'GET /v1/keys',
    summary: 'List operator keys, newest first, without the keys themselves.',
    callers: ['operator'],
    role: 'admin',
    answer: operators.KeyList,
  },
  revokeKey: {
    call: 'DELETE /v1/keys/:keyId',
    summary: 'Revoke an operator key: within seconds no service accepts it. Idempotent.',
    callers: ['operator'],
    role: 'admin',
    params: operators.KeyParams,
    query: operators.RevokeKey,
    answer: operators.KeyView,
    problems: ['key-not-found'],
  },
  createSignInCode: {
    call: 'POST /v1/sign-in-codes',
    summary: 'Create a code that signs you in once, at the dashboard of another browser for example.',
    callers: ['operator'],
    role: 'viewer',
    status: 201,
    answer: operators.SignInCode,
  },
  signIn: {
    call: 'POST /v1/sign-ins',
    summary:
      'Exchange a code for a key of its owner’s name and role, once. The key is valid for twelve hours.',
    callers: ['anyone'],
    limit: 'logins',
    body: operators.SignIn,
    status: 201,
    answer: operators.KeyCreated,
    problems: ['sign-in-refused'],
  },
  listAudit: {
    call: 'GET /v1/audit',
    summary: 'List changes by operators, newest first, in pages.',
    callers: ['operator'],
    role: 'admin',
    query: operators.PageOfAudit,
    answer: operators.AuditPage,
  },
  exportAudit: {
    call: 'GET /v1/audit/export',
    summary: 'Export changes by operators as JSON lines, newest first.',
    callers: ['operator'],
    role: 'admin',
    query: operators.ExportAudit,
    answerType: 'application/x-ndjson',
  },
});

/** How players sign in. The queue service answers. */
export const loginEndpoints = endpointsOf('queue', {
  guestLogin: {
    call: 'POST /v1/guest-login',
    summary:
      'Sign in as a guest, for prototypes: a secret of the device becomes a player. Off unless the operator switches it on.',
    callers: ['anyone'],
    limit: 'logins',
    body: logins.GuestLogin,
    answer: logins.Guest,
    problems: ['guests-off'],
  },
  checkToken: {
    call: 'POST /v1/logins/check',
    summary: 'Check the token of a player: which rule of which login refuses it, or who it is.',
    callers: ['operator'],
    role: 'support',
    stores: false,
    body: logins.CheckToken,
    answer: logins.LoginCheck,
  },
});
