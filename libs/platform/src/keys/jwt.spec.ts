import { exportJWK, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { TokenVerifier, tokenSigner, type Jwk } from './jwt.js';

const now = Date.UTC(2026, 10, 22);
const seconds = now / 1000;
let ours: { key: CryptoKey; publicKey: CryptoKey; jwk: Jwk };
let theirs: { key: CryptoKey; jwk: Jwk };

async function pairOf(kid: string): Promise<typeof ours> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  return { key: privateKey, publicKey, jwk: { ...((await exportJWK(publicKey)) as Jwk), kid } };
}

beforeAll(async () => {
  ours = await pairOf('ours');
  theirs = await pairOf('theirs');
});

const claims = { sub: 'alice', iss: 'login', aud: ['muster', 'other'], exp: seconds + 60 };
const signed = (
  key: CryptoKey,
  header: Record<string, unknown> = {},
  said: object = claims,
): Promise<string> =>
  new SignJWT({ ...said }).setProtectedHeader({ alg: 'EdDSA', kid: 'ours', ...header }).sign(key);

/** Why our key's verifier rejects a token; empty if it does not. */
function refusalOf(token: string, keys: readonly Jwk[] = [ours.jwk], demands: object = {}): string {
  try {
    new TokenVerifier({ keys }).claimsOf(token, { now, ...demands });
    return '';
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : '';
  }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token of another library', () => {
  it('is verified with the key that its header names, or with the only one', async () => {
    const token = await signed(ours.key);
    expect(new TokenVerifier({ keys: [theirs.jwk, ours.jwk] }).claimsOf(token, { now })).toEqual(claims);
    const unnamed = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' }).sign(ours.key);
    expect(refusalOf(unnamed)).toBe('');
    expect(refusalOf(unnamed, [theirs.jwk, ours.jwk])).toMatch(/Several trusted keys/);
  });

  it('may use characters outside of ASCII', async () => {
    const said = { ...claims, name: 'Zoë 🎮' };
    expect(
      new TokenVerifier({ keys: [ours.jwk] }).claimsOf(await signed(ours.key, {}, said), { now }),
    ).toEqual(said);
  });
});

describe('a token that was signed here', () => {
  it('is read by another library and by this one', async () => {
    const jwk = (await exportJWK(ours.key)) as Jwk;
    const token = tokenSigner(jwk, 'ours')(claims);
    expect((await jwtVerify(token, ours.publicKey, { currentDate: new Date(now) })).payload).toEqual(claims);
    expect(new TokenVerifier({ keys: [ours.jwk] }).claimsOf(token, { now })).toEqual(claims);
  });
});

describe('a forged token', () => {
  const untrusted = 'NotAuthenticated: The token is not signed by a trusted key.';

  it('is rejected if another key signed it, under our name, its own or none', async () => {
    expect(refusalOf(await signed(theirs.key))).toBe(untrusted);
    expect(refusalOf(await signed(theirs.key, { kid: 'theirs' }))).toBe(untrusted);
    expect(refusalOf(await signed(theirs.key, { jwk: theirs.jwk as JWK }))).toBe(untrusted);
  });

  it('is rejected if it was changed, cut, or has no signature', async () => {
    const [header = '', , signature = ''] = (await signed(ours.key)).split('.');
    const other = base64({ ...claims, sub: 'mallory' });
    expect(refusalOf(`${header}.${other}.${signature}`)).toBe(untrusted);
    expect(refusalOf(`${header}.${other}.`)).toBe(untrusted);
    expect(refusalOf(`${header}.${other}.${signature.slice(0, -4)}`)).toBe(untrusted);
    expect(refusalOf(new UnsecuredJWT(claims).encode())).toMatch(/not a valid JWT \(EdDSA\)/);
  });

  it.each([
    ['none', 'none'],
    ['HS256', 'HS256'],
    ['a list', ['EdDSA']],
    ['null', null],
  ])('is rejected if its algorithm is %s, even with our signature', async (_, alg) => {
    const [, payload = '', signature = ''] = (await signed(ours.key)).split('.');
    expect(refusalOf(`${base64({ alg, kid: 'ours' })}.${payload}.${signature}`)).toMatch(/^NotAuthenticated/);
  });

  it.each(['', '.', '..', '...', 'a.b.c', 'a.b.c.d', `${'x'.repeat(100_000)}.y.z`, '{}.{}.{}', ' . . '])(
    'is rejected, and throws nothing else, if it is no token: %j',
    (token) => {
      expect(refusalOf(token)).toMatch(/^NotAuthenticated/);
    },
  );

  it('is rejected if its payload is not an object, or it has a critical header that is unknown', async () => {
    const pair = tokenParts(await signed(ours.key));
    for (const payload of ['null', '[]', '1', '"x"', '{'])
      expect(
        refusalOf(`${pair.header}.${Buffer.from(payload).toString('base64url')}.${pair.signature}`),
      ).toMatch(/^NotAuthenticated/);
    const critical = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'ours', crit: ['b64'], b64: true })
      .sign(ours.key);
    expect(refusalOf(critical)).toMatch(/^NotAuthenticated/);
  });

  it('is rejected if the key is meant for something else', async () => {
    const token = await signed(ours.key);
    for (const other of [{ use: 'enc' }, { alg: 'ES256' }, { key_ops: ['sign'] }, { kty: 'RSA' }])
      expect(refusalOf(token, [{ ...ours.jwk, ...other }])).toBe(untrusted);
  });
});

describe('claims', () => {
  it.each([
    ['exp', { exp: seconds }, /expired/],
    ['exp', { exp: 'tomorrow' }, /"exp"/],
    ['exp', { exp: null }, /"exp"/],
    ['nbf', { nbf: seconds + 1 }, /not valid yet.*"nbf"/],
    ['nbf', { nbf: 'now' }, /"nbf" is missing or invalid/],
    ['iss', { iss: ['login'] }, /"iss"/],
    ['iss', { iss: undefined }, /"iss"/],
    ['aud', { aud: 'others' }, /"aud"/],
    ['aud', { aud: undefined }, /"aud"/],
    ['sub', { sub: undefined }, /"sub"/],
  ])('are rejected for a bad %s: %j', async (_, changed, why) => {
    const token = await signed(ours.key, {}, { ...claims, ...changed });
    const demands = { issuer: 'login', audience: 'muster', required: ['sub'] };
    expect(refusalOf(token, [ours.jwk], demands)).toMatch(why);
    expect(refusalOf(await signed(ours.key), [ours.jwk], demands)).toBe('');
  });

  it('are accepted until the second of their expiry, by the time that was given', async () => {
    const token = await signed(ours.key);
    expect(refusalOf(token, [ours.jwk], { now: now + 59_999 })).toBe('');
    expect(refusalOf(token, [ours.jwk], { now: now + 60_000 })).toMatch(/expired/);
  });
});

function tokenParts(token: string): { header: string; signature: string } {
  const [header = '', , signature = ''] = token.split('.');
  return { header, signature };
}
