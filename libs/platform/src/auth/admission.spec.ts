import { MusterError, NotAuthenticated, TooBusy } from '@muster/domain';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { expect, it } from 'vitest';
import { Admission } from './admission.js';
import { CallerGuard, endpointKey } from './callers.js';
import { Logins } from '../logins/logins.js';
import { CoordinatorTokens } from './tokens.js';

/** A call of an endpoint with a key that nobody knows. */
function aCall(endpoint: string): ExecutionContext {
  const handler = () => undefined;
  Reflect.defineMetadata(endpointKey, endpoint, handler);
  const request = { headers: { authorization: 'Bearer unknown' } };
  return {
    getType: () => 'http',
    getHandler: () => handler,
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => undefined }),
  } as unknown as ExecutionContext;
}

it('refuses a call of a busy endpoint before the caller is looked at, and no other call', () => {
  const admission = new Admission();
  let isBusy = true;
  admission.before('createTicket', () => {
    if (isBusy) throw new TooBusy('Much is under way.');
  });
  const guard = new CallerGuard(
    new Reflector(),
    Object.create(Logins.prototype),
    Object.create(CoordinatorTokens.prototype),
    { serverKey: 's', operatorKey: 'o' },
    () => 0,
    admission,
    { keys: { find: async () => null }, tokens: null },
    { take: () => undefined, checkAttempts: () => undefined, failed: (error) => error },
  );
  const refusal = (endpoint: string): unknown => {
    try {
      return guard.canActivate(aCall(endpoint));
    } catch (error) {
      if (!(error instanceof MusterError)) throw error;
      return error;
    }
  };
  expect(refusal('createTicket')).toBeInstanceOf(TooBusy);
  expect(refusal('readTicket')).toBeInstanceOf(NotAuthenticated);
  isBusy = false;
  expect(refusal('createTicket')).toBeInstanceOf(NotAuthenticated);
});
