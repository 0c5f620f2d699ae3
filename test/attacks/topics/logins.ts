import { exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { setTimeout as sleep } from 'node:timers/promises';
import { attack, refused, type Attack, type Topic } from '../attack.js';
import { allOf } from '../answers.js';
import type { Manner } from '../login-server.js';
import { call, type Target } from '../target.js';

const unknownCaller = refused('401 not-authenticated');

const reads =
  (make: (target: Target) => Promise<string>): Attack['run'] =>
  async (target) =>
    call(target, '/v1/me/ticket', { token: await make(target) });

/** Whether known keys serve while the login answers in some manner, and an unknown key asks for more. */
const whileItAnswers =
  (manner: Manner): Attack['run'] =>
  async (target) => {
    const { arcade } = target;
    arcade.manner = manner;
    try {
      const { privateKey } = await generateKeyPair('ES256');
      const unknown = call(target, '/v1/me/ticket', {
        token: await arcade.token({}, { kid: `new-${manner}` }, privateKey),
      });
      await sleep(200);
      const known = await call(target, '/v1/me/ticket', { token: await arcade.token() });
      return `known keys: ${known}; unknown: ${await unknown}`;
    } finally {
      arcade.manner = 'well';
    }
  };

/** A login of the game whose keys are at an address. */
export const logins: Topic = {
  name: 'Logins with keys at an address',
  about:
    'A token chooses its login by its issuer; each has its own keys and algorithms. Keys are read at most once in five seconds, with limits of time and size, without redirects.',
  bounds: { processorSeconds: 10, memoryMiB: 128 },
  attacks: [
    unknownCaller(
      'an issuer that nobody knows',
      reads(({ arcade }) => arcade.token({ iss: 'https://evil.example' })),
    ),
    unknownCaller(
      'an issuer with a slash more',
      reads(({ arcade }) => arcade.token({ iss: `${arcade.url}/` })),
    ),
    unknownCaller(
      'a token of this login with the key of the other',
      reads(({ arcade, login: { jwk, key } }) =>
        new SignJWT({ iss: arcade.url, aud: 'muster', sub: 'atk-victim' })
          .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? 'login' })
          .setExpirationTime('1h')
          .sign(key),
      ),
    ),
    unknownCaller(
      'its public key as a secret of HS256',
      reads(async ({ arcade }) => {
        const pem = await exportSPKI(
          (await importJWK(arcade.publicKey, 'ES256')) as Parameters<typeof exportSPKI>[0],
        );
        return new SignJWT({ iss: arcade.url, aud: 'muster', sub: 'atk-victim' })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .setExpirationTime('1h')
          .sign(new TextEncoder().encode(pem));
      }),
    ),
    unknownCaller(
      'a signature of zeros (CVE-2022-21449)',
      reads(async ({ arcade }) => {
        const [header, claims] = (await arcade.token()).split('.');
        return `${header}.${claims}.${Buffer.alloc(64).toString('base64url')}`;
      }),
    ),
    unknownCaller(
      'another audience',
      reads(({ arcade }) => arcade.token({ aud: 'another-game' })),
    ),
    unknownCaller(
      'a token that ended before the tolerance of clocks',
      reads(({ arcade }) => arcade.token({ exp: Math.floor(Date.now() / 1000) - 60 })),
    ),
    unknownCaller(
      'an id with the prefix of another login',
      reads(({ stack }) => stack.token('arc:atk-victim')),
    ),
    unknownCaller(
      'the id of a guest by a login',
      reads(({ stack }) => stack.token('guest:AAAAAAAAAAAAAAAAAAAAAA')),
    ),
    attack(
      '300 tokens with invented keys',
      '401 not-authenticated, and its keys are read twice at most',
      async (target) => {
        const { privateKey } = await generateKeyPair('ES256');
        const before = target.arcade.reads;
        const seen = await Promise.all(
          Array.from({ length: 300 }, async (_, n) =>
            call(target, '/v1/me/ticket', {
              token: await target.arcade.token({}, { kid: `invented-${n}` }, privateKey),
            }),
          ),
        );
        const times = target.arcade.reads - before;
        return `${allOf(seen)}, and its keys are read ${times <= 2 ? 'twice at most' : `${times} times`}`;
      },
    ),
    attack(
      'a login that answers with 10 MB',
      'known keys: 404 ticket-not-found; unknown: 503 login-unavailable',
      whileItAnswers('endlessly'),
    ),
    attack(
      'a login that never answers',
      'known keys: 404 ticket-not-found; unknown: 503 login-unavailable',
      whileItAnswers('never'),
    ),
    attack(
      'a login that leads to the metadata of the machine',
      'known keys: 404 ticket-not-found; unknown: 503 login-unavailable',
      whileItAnswers('elsewhere'),
    ),
    attack(
      'a login whose keys are gone',
      'known keys: 404 ticket-not-found; unknown: 503 login-unavailable',
      whileItAnswers('emptily'),
    ),
  ],
};
