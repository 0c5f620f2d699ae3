import { generateKeyPair, exportJWK, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { badTokens, type BadToken } from '../../support/bad-requests/actors.js';
import { refused, type Attack, type Topic } from '../attack.js';
import { call, type Target } from '../target.js';

const unknownCaller = refused('401 not-authenticated');
const forbidden = refused('403 not-allowed');

const soon = (): number => Math.floor(Date.now() / 1000) + 600;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Reads the ticket of whom a token names. */
const reads =
  (make: (target: Target) => Promise<string> | string): Attack['run'] =>
  async (target) =>
    call(target, '/v1/me/ticket', { token: await make(target) });

const bad = (name: BadToken): Attack['run'] => reads(async ({ stack }) => (await badTokens(stack))[name]);

/** A token that the attacker signs, in the name of the victim, with a header of the attacker's choice. */
const forged = (header: (target: Target) => Promise<object> | object): Attack['run'] =>
  reads(async (target) => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const { kid = 'login' } = target.login.jwk;
    const own = { jwk: await exportJWK(publicKey) };
    return new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA', kid, ...own, ...(await header(target)) })
      .setSubject(target.victim.playerId)
      .setAudience('muster')
      .setExpirationTime('1h')
      .sign(privateKey);
  });

/** A token that the login signs, with claims that it must not sign. */
const signed = (claims: JWTPayload & Record<string, unknown>): Attack['run'] =>
  reads(({ login: { jwk, key } }) =>
    new SignJWT({ sub: 'atk-mallory', aud: 'muster', exp: soon(), ...claims })
      .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? 'login' })
      .sign(key),
  );

/** The victim's token with a part of it changed. */
const changed = (change: (parts: readonly string[]) => string): Attack['run'] =>
  reads(({ victim }) => change(victim.token.split('.')));

/** An empty signature, or one of zeros, which a library once took for every message. */
const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64url');

/** Tokens that prove nothing. */
export const tokens: Topic = {
  name: 'Tokens',
  about:
    'Each key verifies one algorithm, whatever a token says. Keys and addresses within a token are never used.',
  bounds: { processorSeconds: 6, memoryMiB: 96 },
  attacks: [
    unknownCaller('no token', (target) => call(target, '/v1/me/ticket')),
    unknownCaller('a token in the query', (target) =>
      call(target, `/v1/me/ticket?access_token=${target.victim.token}`),
    ),
    unknownCaller('a token in a cookie', (target) =>
      call(target, '/v1/me/ticket', { headers: { cookie: `token=${target.victim.token}` } }),
    ),
    unknownCaller('an expired token', bad('expired')),
    unknownCaller('a token that never ends', bad('endless')),
    unknownCaller('a token that another key signed', bad('strange')),
    unknownCaller('`alg: none`', bad('unsigned')),
    unknownCaller(
      '`alg: nOnE`',
      reads(
        ({ victim }) =>
          `${base64({ alg: 'nOnE' })}.${base64({ sub: victim.playerId, aud: 'muster', exp: soon() })}.`,
      ),
    ),
    unknownCaller('the public key as a secret of HS256', bad('symmetric')),
    unknownCaller(
      'a key within the header (`jwk`)',
      forged(() => ({})),
    ),
    unknownCaller(
      'the address of a key (`jku`, `x5u`)',
      forged(({ url }) => ({ jku: `${url}/evil.jwks`, x5u: `${url}/evil.pem` })),
    ),
    unknownCaller(
      'a `kid` that is a path',
      forged(() => ({ kid: '../../../../dev/null' })),
    ),
    unknownCaller(
      'a `kid` that is SQL',
      forged(() => ({ kid: "x' UNION SELECT 'key" })),
    ),
    unknownCaller(
      'a `kid` that is `__proto__`',
      forged(() => ({ kid: '__proto__' })),
    ),
    unknownCaller(
      'a signature of another algorithm',
      reads(async ({ victim }) => {
        const { privateKey } = await generateKeyPair('ES256');
        return new SignJWT({ sub: victim.playerId, aud: 'muster', exp: soon() })
          .setProtectedHeader({ alg: 'ES256' })
          .sign(privateKey);
      }),
    ),
    unknownCaller(
      'a signature of zeros',
      changed(([header, claims]) => `${header}.${claims}.${zeros(64)}`),
    ),
    unknownCaller(
      'no signature',
      changed(([header, claims]) => `${header}.${claims}.`),
    ),
    unknownCaller(
      'the victim’s signature under other claims',
      changed(([header, , signature]) => `${header}.${base64({ sub: 'x', exp: soon() })}.${signature}`),
    ),
    unknownCaller(
      'bytes behind the signature',
      changed((parts) => `${parts.join('.')}AAAA`),
    ),
    unknownCaller(
      'signs that base64url has not within the signature',
      changed((parts) => `${parts.join('.')}!~!~`),
    ),
    unknownCaller(
      'a fourth part',
      changed((parts) => `${parts.join('.')}.${zeros(64)}`),
    ),
    unknownCaller(
      'an encrypted token, of five parts',
      reads(() => `${base64({ alg: 'dir', enc: 'A128GCM' })}..${zeros(12)}.${zeros(64)}.${zeros(16)}`),
    ),
    unknownCaller('a token for another audience', bad('elsewhere')),
    unknownCaller('a token without a subject', bad('nameless')),
    unknownCaller('a subject with a blank', bad('spaced')),
    unknownCaller('a bot as the subject', bad('bot')),
    unknownCaller('an erased player as the subject', bad('erased')),
    unknownCaller('a list as the subject', signed({ sub: ['atk-victim'] as unknown as string })),
    unknownCaller('an end in the year 300,000', signed({ exp: 9_404_640_000_000 })),
    unknownCaller('a token that is not valid yet', signed({ nbf: soon() })),
    unknownCaller('a claim of ours that is none', bad('boastful')),
    unknownCaller(
      'a claim that is 10,000 lists within one another',
      reads(
        ({ victim }) =>
          `${base64({ alg: 'EdDSA' })}.${Buffer.from(`{"sub":"${victim.playerId}","muster":${'['.repeat(4_000)}${']'.repeat(4_000)}}`).toString('base64url')}.${zeros(64)}`,
      ),
    ),
    refused('431 headers-too-large')(
      'a token of 20 KiB',
      changed(([header, , signature]) => `${header}.${'a'.repeat(20_480)}.${signature}`),
    ),
    unknownCaller('a token without a scheme', (target) =>
      call(target, '/v1/me/ticket', { headers: { authorization: target.victim.token } }),
    ),
    unknownCaller('a server’s registration with the name of its key', (target) =>
      call(target, '/v1/servers', { token: 'SERVER_KEY', body: {} }),
    ),
    unknownCaller('an empty operator key', (target) =>
      call(target, '/v1/matches', { headers: { authorization: 'Bearer  ' } }),
    ),
    forbidden('a player’s token at a call of operators', (target) =>
      call(target, '/v1/matches', { token: target.mallory }),
    ),
    forbidden('a player’s token at a call of servers', (target) =>
      call(target, `/v1/sessions/${target.arena.sessionId}/result`, {
        token: target.mallory,
        body: { winner: 0 },
      }),
    ),
    forbidden('a server’s token at a call of players', (target) =>
      call(target, '/v1/me/ticket', { token: target.rogue.token }),
    ),
    forbidden('the server key at a call of operators', (target) =>
      call(target, '/v1/keys', { token: target.keys.fleet }),
    ),
    forbidden('the operator key in the place of a player', (target) =>
      call(target, '/v1/tickets', { token: target.keys.operator, body: { queue: '1v1' } }),
    ),
    forbidden('a viewer who makes keys', (target) =>
      call(target, '/v1/keys', { token: target.keys.viewer, body: { name: 'mallory', role: 'admin' } }),
    ),
    forbidden('a viewer who changes a rating', (target) =>
      call(target, '/v1/ratings/duel/atk-mallory', {
        token: target.keys.viewer,
        body: { mu: 50, sigma: 1, reason: 'x', eventId: 'x' },
      }),
    ),
    unknownCaller(
      'a party pass in the place of a token',
      reads(async ({ stack }) => (await stack.player('atk-friend')).partyPass('atk-mallory')),
    ),
    unknownCaller(
      'a token that a player wraps into another',
      reads(({ victim }) =>
        new UnsecuredJWT({ sub: victim.playerId, token: victim.token }).setExpirationTime('1h').encode(),
      ),
    ),
  ],
};
