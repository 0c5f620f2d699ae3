import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { CoordinatorTokens } from '../auth/tokens.js';
import { readLogins, type LoginSettings } from '../logins/login-document.js';

import { playerLogins } from './player-sign-in.js';

let own: CoordinatorTokens;
let jwks: string;
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  own = new CoordinatorTokens(JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'coordinator' }));
  jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'login' }] });
});

type Given = Partial<Parameters<typeof playerLogins>[0]>;
const issuersOf = (given: Given): readonly (string | null)[] =>
  playerLogins({ GUEST_LOGIN: 'off', ...given } as Parameters<typeof playerLogins>[0], own, {
    elapsed: () => 0,
    onError: () => undefined,
  }).all.map(({ issuer }) => issuer);

function documentOf(issuer: string): readonly LoginSettings[] {
  const read = readLogins(
    `logins: [{ name: game, issuer: "${issuer}", keys: ${jwks}, algorithms: [EdDSA], audience: game }]`,
  );
  if (!read.ok) throw new Error(read.flaws.join());
  return read.value;
}

it('are those of the document, of the short form, and of guests', () => {
  expect(issuersOf({ PLAYER_JWKS: jwks })).toEqual([null]);
  expect(
    issuersOf({ PLAYER_LOGINS: documentOf('a'), PLAYER_JWKS: jwks, PLAYER_ISSUER: 'b', GUEST_LOGIN: 'on' }),
  ).toEqual(['a', 'b', 'muster']);
});

it('are at least one', () => {
  expect(() => issuersOf({})).toThrow(
    /No login of players is set: give PLAYER_LOGINS, a document, or PLAYER_JWKS/,
  );
});

it.each<[string, () => Given]>([
  ['the short form', () => ({ PLAYER_LOGINS: documentOf('a'), PLAYER_JWKS: jwks, PLAYER_ISSUER: 'a' })],
  ['guests', () => ({ PLAYER_LOGINS: documentOf('muster'), GUEST_LOGIN: 'on' })],
])('have issuers that differ, also from that of %s', (_, given) => {
  expect(() => issuersOf(given())).toThrow(/Two logins have the issuer/);
});
