import * as logins from '../http/logins.js';
import { endpointsOf } from './endpoint.js';

/** How players sign in. The queue service answers. */
export const loginEndpoints = endpointsOf('queue', {
  guestLogin: {
    call: 'POST /v1/guest-login',
    summary:
      'Sign in as a guest, for prototypes: a secret of the device becomes a player. Off unless the operator switches it on.',
    callers: ['anyone'],
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
