import {
  endpointOf,
  endpoints,
  mayAct,
  operatorRoles,
  type EndpointName,
  type OperatorRole,
} from '@muster/contracts';
import { MusterError } from '@muster/domain';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { CallerGuard, endpointKey, identityOf, type Identity } from './callers.js';
import type { Jwk } from '../keys/jwt.js';
import { keyPrefix } from './operator-keys.js';
import { OperatorTokens, readRoleNames } from './operator-tokens.js';
import { GivenKeys } from '../keys/fetched-keys.js';
import { Logins, loginOfSettings } from '../logins/logins.js';
import { CoordinatorTokens } from './tokens.js';

const now = Date.UTC(2026, 10, 22);
const exp = now / 1000 + 60;
const calls = Object.keys(endpoints) as EndpointName[];

let guard: CallerGuard;
let playerKey: CryptoKey;
let staffKey: CryptoKey;
let own: CoordinatorTokens;
/** A credential of each caller. */
let tokens: ReadonlyMap<string, string>;

const staffToken = (claims: object): Promise<string> =>
  new SignJWT({ iss: 'https://id.example', aud: 'muster-operators', sub: 'ann', exp, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'staff' })
    .sign(staffKey);

const unexpected = (): Promise<never> => Promise.reject(new Error('not expected here'));

beforeAll(async () => {
  const login = await generateKeyPair('EdDSA');
  const staff = await generateKeyPair('ES256');
  const coordinator = await generateKeyPair('EdDSA', { extractable: true });
  playerKey = login.privateKey;
  staffKey = staff.privateKey;
  const jwkOf = async (key: CryptoKey, kid: string): Promise<Jwk> => ({
    ...((await exportJWK(key)) as Jwk),
    kid,
  });
  own = new CoordinatorTokens(JSON.stringify(await jwkOf(coordinator.privateKey, 'coordinator')));
  const keys = new Map(
    operatorRoles.map((role) => [
      `${keyPrefix}${role}`,
      { name: `${role} tool`, role, signIn: 'key' as const, keyId: `key_${role}` },
    ]),
  );
  guard = new CallerGuard(
    new Reflector(),
    new Logins([loginOfSettings(JSON.stringify({ keys: [await jwkOf(login.publicKey, 'login')] }), {})]),
    own,
    { serverKey: 'fleet-old fleet-new', operatorKey: 'setting' },
    () => now,
    {
      keys: { find: async (key) => keys.get(key) ?? null },
      tokens: new OperatorTokens(
        new GivenKeys({ keys: [await jwkOf(staff.publicKey, 'staff')] }, ['ES256']),
        {
          issuer: 'https://id.example',
          audience: 'muster-operators',
          rolesClaim: 'access.roles',
          nameClaim: 'sub',
          roleNames: readRoleNames('support=cs,admin=leads') ?? new Map(),
        },
      ),
    },
    { take: () => undefined, checkAttempts: () => undefined, failed: (error) => error },
    { ofKey: unexpected, ofSignature: unexpected, check: () => null },
  );
  const player = await new SignJWT({ sub: 'alice', exp })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'login' })
    .sign(playerKey);
  tokens = new Map([
    ['player', player],
    ['server', own.serverToken({ serverId: 's1', incarnation: 1, keyId: null, signsFor: null }, 60_000, now)],
    ['fleet', 'fleet-new'],
    ...operatorRoles.map((role): [string, string] => [role, `${keyPrefix}${role}`]),
  ]);
});

/** The identity of a caller, or the refusal. */
async function decided(name: EndpointName, token: string | undefined): Promise<Identity | MusterError> {
  const handler = (): void => undefined;
  Reflect.defineMetadata(endpointKey, name, handler);
  const request = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
  const context = new ExecutionContextHost([request], Object, handler);
  context.setType('http');
  try {
    await guard.canActivate(context);
    return identityOf(context.switchToHttp().getRequest());
  } catch (error) {
    if (!(error instanceof MusterError)) throw error;
    return error;
  }
}

const isRole = (caller: string): caller is OperatorRole => operatorRoles.some((role) => role === caller);

describe('the table of calls and callers', () => {
  it.each(calls)(
    '%s is for those whom it names, and tells others who they would have to be',
    async (name) => {
      const { callers, role } = endpointOf(name);
      const isOpen = callers.includes('anyone');
      for (const [caller, token] of tokens) {
        const kind = isRole(caller) ? 'operator' : caller;
        const isAllowed =
          isOpen ||
          (callers.some((each) => each === kind) &&
            (!isRole(caller) || (role !== undefined && mayAct(caller, role))));
        const outcome = await decided(name, token);
        if (isAllowed) expect(outcome).toMatchObject({ kind: isOpen ? 'anyone' : kind });
        else {
          expect(outcome).toMatchObject({
            code: 'not-allowed',
            facts: role === undefined ? {} : { role },
          });
          if (role !== undefined) expect(String(outcome)).toContain(role);
        }
      }
      if (!isOpen) expect(await decided(name, undefined)).toMatchObject({ code: 'not-authenticated' });
    },
  );

  it('has a role for each call of operators, and no other', () => {
    const roles = calls.filter((name) => endpointOf(name).role !== undefined);
    expect(roles).toEqual(calls.filter((name) => endpointOf(name).callers.includes('operator')));
  });
});

describe('an operator', () => {
  it('has the key of the settings, with the role admin', async () => {
    expect(await decided('listKeys', 'setting')).toEqual({
      kind: 'operator',
      name: 'operator',
      role: 'admin',
      signIn: 'setting',
      keyId: null,
    });
  });

  it('is refused with a key that is unknown, and both keys of a rotation are accepted', async () => {
    expect(await decided('listKeys', `${keyPrefix}guess`)).toMatchObject({ code: 'not-authenticated' });
    for (const key of ['fleet-old', 'fleet-new'])
      expect(await decided('listServers', key)).toMatchObject({ kind: 'fleet' });
    expect(await decided('listServers', 'fleet-old fleet-new')).toMatchObject({ kind: 'fleet' });
    expect(await decided('listServers', 'fleet')).toMatchObject({ code: 'not-authenticated' });
  });

  it('signs in with a token of the identity provider, and has the highest role that it names', async () => {
    const token = await staffToken({ access: { roles: ['cs', 'leads', 'others'] } });
    expect(await decided('listKeys', token)).toMatchObject({ name: 'ann', role: 'admin', signIn: 'token' });
    const support = await staffToken({ access: { roles: 'cs' } });
    expect(await decided('applyRules', support)).toMatchObject({
      code: 'not-allowed',
      message:
        'This call needs the role operator; you are authenticated as operator ann with the role support.',
    });
    // A call that is not for operators knows them, too.
    expect(await decided('createTicket', token)).toMatchObject({ code: 'not-allowed' });
  });

  it.each([
    ['without a role', {}, 'not-allowed'],
    ['with roles of others', { access: { roles: ['admin', 7] } }, 'not-allowed'],
    ['that expired', { access: { roles: ['leads'] }, exp: now / 1000 }, 'not-authenticated'],
    ['without an end', { access: { roles: ['leads'] }, exp: undefined }, 'not-authenticated'],
    ['of another issuer', { access: { roles: ['leads'] }, iss: 'https://evil.example' }, 'not-authenticated'],
    ['for another audience', { access: { roles: ['leads'] }, aud: 'muster' }, 'not-authenticated'],
  ])('is refused with a token %s', async (_, claims, code) => {
    expect(await decided('listKeys', await staffToken(claims))).toMatchObject({ code });
  });
});
