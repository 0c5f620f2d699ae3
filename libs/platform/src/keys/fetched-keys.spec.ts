import { LoginUnavailable, NotAuthenticated } from '@muster/domain';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FetchedKeys, GivenKeys, type LoginKeys } from './fetched-keys.js';
import { claimsProvedBy, readTokenOf, tokenAlgorithms, type Algorithm, type Jwk } from './jwt.js';
import type { ReadKeys } from './key-reader.js';

interface Signer {
  readonly key: CryptoKey;
  readonly jwk: Jwk;
  readonly algorithm: Algorithm;
}

async function signer(algorithm: Algorithm, kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  return {
    key: privateKey,
    algorithm,
    jwk: { ...((await exportJWK(publicKey)) as Jwk), kid, alg: algorithm },
  };
}

const tokenOf = ({ key, algorithm, jwk }: Signer): Promise<string> =>
  new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: algorithm, kid: jwk.kid ?? '' }).sign(key);

/** The subject that the keys prove, as a service asks. */
async function subjectBy(keys: LoginKeys, token: string): Promise<unknown> {
  const { header } = readTokenOf(token, tokenAlgorithms);
  return claimsProvedBy(keys.find(header) ?? (await keys.seek(header)), token)['sub'];
}

let one: Signer;
let two: Signer;
let three: Signer;
let tokens: readonly string[];
beforeAll(async () => {
  [one, two, three] = [
    await signer('ES256', 'one'),
    await signer('ES256', 'two'),
    await signer('ES256', 'three'),
  ];
  tokens = await Promise.all([one, two, three].map(tokenOf));
});

let published: readonly Jwk[] | Error;
let freshMs: number;
let reads: number;
let elapsed: number;
let errors: unknown[];
/** Calls that wait for a time. */
let alarms: { at: number; ring: () => void }[];
/** Holds the answer of a login that is slow; null answers at once. */
let slow: Promise<void> | null;
beforeEach(() => {
  [published, freshMs, reads, elapsed, errors, alarms, slow] = [[], 600_000, 0, 1_000_000, [], [], null];
});

function remoteKeys(): FetchedKeys {
  const read = async (): Promise<ReadKeys> => {
    reads++;
    const said = published;
    await slow;
    if (said instanceof Error) throw said;
    return { jwks: { keys: said }, freshMs };
  };
  return new FetchedKeys({ read }, tokenAlgorithms, {
    elapsed: () => elapsed,
    onError: (error) => errors.push(error),
    pause: (ms) =>
      ms === 0 ? settled() : new Promise<void>((ring) => alarms.push({ at: elapsed + ms, ring })),
  });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function pass(ms: number): Promise<void> {
  await settled();
  elapsed += ms;
  for (const alarm of alarms.splice(0))
    if (alarm.at <= elapsed) alarm.ring();
    else alarms.push(alarm);
  await settled();
}

describe('the keys of a login', () => {
  it.each(tokenAlgorithms)('verify %s, and are read once', async (algorithm) => {
    const staff = await signer(algorithm, 'one');
    published = [staff.jwk];
    const keys = remoteKeys();
    keys.refresh();
    const token = await tokenOf(staff);
    for (let i = 0; i < 3; i++) expect(await subjectBy(keys, token)).toBe('ann');
    expect([reads, keys.kids]).toEqual([1, ['one']]);
  });

  it('verify their own algorithm alone, whatever a token says', async () => {
    const rsa = await signer('RS256', 'one');
    const keys = new GivenKeys({ keys: [rsa.jwk] }, tokenAlgorithms);
    await expect(subjectBy(keys, tokens[0] ?? '')).rejects.toThrow(/not signed by a trusted key/);
    const pss = await new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: 'PS256', kid: 'one' });
    const { privateKey } = await generateKeyPair('PS256');
    await expect(subjectBy(keys, await pss.sign(privateKey))).rejects.toThrow(/not signed by a trusted key/);
    // The public key as the secret of an HMAC.
    const secret = new TextEncoder().encode(JSON.stringify(rsa.jwk));
    const forged = await new SignJWT({ sub: 'ann' })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    await expect(subjectBy(keys, forged)).rejects.toThrow(
      /not a valid JWT \(EdDSA, ES256, ES384, RS256, PS256\)/,
    );
  });

  it('are read again beside the calls when they are no longer fresh', async () => {
    published = [one.jwk];
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    await pass(599_999);
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    expect(reads).toBe(1);
    await pass(1);
    // A login that takes its time holds up nobody.
    slow = new Promise(() => undefined);
    for (let i = 0; i < 3; i++) expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    expect(reads).toBe(2);
  });
});

describe('a key that is not known yet', () => {
  beforeEach(() => void (published = [one.jwk]));

  it('is read at once, if no read was a moment ago', async () => {
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    published = [one.jwk, two.jwk];
    await pass(5_000);
    expect(await subjectBy(keys, tokens[1] ?? '')).toBe('ann');
    expect(reads).toBe(2);
  });

  it('is waited for until the next read otherwise, so that a rotation refuses nobody', async () => {
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    published = [two.jwk];
    const waiting = Array.from({ length: 100 }, () => subjectBy(keys, tokens[1] ?? ''));
    await pass(4_999);
    expect(reads).toBe(1);
    // The old key verifies meanwhile, and for a while after the login left it out.
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    await pass(1);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ann']));
    expect(reads).toBe(2);
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
  });

  it('that does not exist costs one read in five seconds, however many are invented', async () => {
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    for (let second = 0; second < 60; second++) {
      const invented = Array.from({ length: 50 }, (_, i) =>
        keys.seek({ alg: 'ES256', kid: `${second}-${i}` }),
      );
      for (const each of invented) each.catch(() => undefined);
      await pass(1_000);
      expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    }
    expect(reads).toBe(13);
  });

  it('and is asked for again is refused without a wait, until another read may find it', async () => {
    const keys = remoteKeys();
    const first = keys.seek({ alg: 'ES256', kid: 'two' });
    first.catch(() => undefined);
    await pass(0);
    await pass(0);
    await expect(first).rejects.toThrow(NotAuthenticated);
    await expect(keys.seek({ alg: 'ES256', kid: 'two' })).rejects.toThrow(/trusted key/);
    published = [one.jwk, two.jwk];
    await pass(5_000);
    expect(await subjectBy(keys, tokens[1] ?? '')).toBe('ann');
  });

  it('makes no more than 2,000 calls wait', async () => {
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    const waiting = Array.from({ length: 2_000 }, (_, i) => keys.seek({ alg: 'ES256', kid: `x${i}` }));
    for (const each of waiting) each.catch(() => undefined);
    await expect(keys.seek({ alg: 'ES256', kid: 'more' })).rejects.toThrow(LoginUnavailable);
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    await pass(5_000);
    await expect(waiting[0]).rejects.toThrow(NotAuthenticated);
  });

  it.each([
    ['of an algorithm that the login does not sign by', { alg: 'HS256', kid: 'x' }],
    ['of no algorithm', { kid: 'x' }],
    ['with an id of many characters', { alg: 'ES256', kid: 'x'.repeat(300) }],
  ])('is not read if it is %s', async (_, header) => {
    await expect(remoteKeys().seek(header)).rejects.toThrow(/trusted key/);
    expect(reads).toBe(0);
  });
});

describe('a login that fails', () => {
  it('for ten minutes leaves its known keys as they are, and is asked again every five seconds', async () => {
    published = [one.jwk];
    freshMs = 60_000;
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    published = new Error('away');
    for (let second = 0; second < 600; second++) {
      await pass(1_000);
      expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    }
    await pass(0);
    expect(errors.length).toBe(reads - 1);
    expect(reads).toBeLessThanOrEqual(1 + 600 / 5);
    // A new key is another matter: nobody can say whether it is one.
    const asked = subjectBy(keys, tokens[1] ?? '');
    asked.catch(() => undefined);
    await pass(5_000);
    await expect(asked).rejects.toThrow(LoginUnavailable);
    published = [one.jwk, two.jwk];
    await pass(5_000);
    expect(await subjectBy(keys, tokens[1] ?? '')).toBe('ann');
  });

  it('from the start is told as that, and is asked again', async () => {
    published = new Error('away');
    const keys = remoteKeys();
    keys.refresh();
    await pass(0);
    const asked = subjectBy(keys, tokens[0] ?? '');
    asked.catch(() => undefined);
    await pass(5_000);
    await expect(asked).rejects.toThrow(/cannot be read right now/);
    published = [one.jwk];
    await pass(5_000);
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
  });

  it.each<[string, readonly object[]]>([
    ['without keys', []],
    ['with secrets', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one', alg: 'HS256' }]],
    ['with keys that nobody can read', [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'one' }]],
    [
      'with short RSA keys',
      [{ kty: 'RSA', n: Buffer.alloc(128, 1).toString('base64url'), e: 'AQAB', kid: 'one' }],
    ],
    [
      'with RSA keys of enormous size',
      [{ kty: 'RSA', n: Buffer.alloc(2_048, 1).toString('base64url'), e: 'AQAB' }],
    ],
    ['with 1,000 keys', Array.from({ length: 1_000 }, (_, i) => ({ kty: 'EC', kid: String(i) }))],
  ])('and publishes a set %s, loses none of its known keys', async (_, set) => {
    published = [one.jwk];
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    published = set as readonly Jwk[];
    await pass(600_000);
    keys.refresh();
    await pass(0);
    expect([reads, errors.length, keys.generation]).toEqual([2, 1, 0]);
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
  });

  it('and publishes an odd key beside a good one, gives the good one', async () => {
    published = [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'odd' } as Jwk, one.jwk];
    expect(await subjectBy(remoteKeys(), tokens[0] ?? '')).toBe('ann');
  });
});

describe('a key that the login left out', () => {
  it('is trusted for ten minutes, and what it verified no longer than it', async () => {
    published = [one.jwk, two.jwk];
    freshMs = 86_400_000;
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    await pass(86_400_000);
    published = [two.jwk];
    keys.refresh();
    await pass(599_999);
    expect([await subjectBy(keys, tokens[0] ?? ''), keys.generation]).toEqual(['ann', 0]);
    await pass(1);
    keys.refresh();
    await pass(0);
    expect(keys.generation).toBe(1);
    const asked = subjectBy(keys, tokens[0] ?? '');
    asked.catch(() => undefined);
    await pass(5_000);
    await expect(asked).rejects.toThrow(NotAuthenticated);
    expect(await subjectBy(keys, tokens[1] ?? '')).toBe('ann');
  });

  it('is the same one when it comes back, as sets of a login may alternate', async () => {
    freshMs = 60_000;
    published = [one.jwk];
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    for (let i = 0; i < 30; i++) {
      published = i % 2 === 0 ? [two.jwk] : [one.jwk, two.jwk];
      await pass(60_000);
      keys.refresh();
      await pass(0);
      for (const token of tokens.slice(0, 2)) expect(await subjectBy(keys, token)).toBe('ann');
    }
    expect([reads, keys.generation]).toEqual([31, 0]);
  });

  it('is replaced at once by another one of its name', async () => {
    published = [one.jwk];
    freshMs = 60_000;
    const keys = remoteKeys();
    expect(await subjectBy(keys, tokens[0] ?? '')).toBe('ann');
    published = [{ ...three.jwk, kid: 'one' }];
    await pass(60_000);
    keys.refresh();
    await pass(0);
    expect(keys.generation).toBe(1);
    await expect(subjectBy(keys, tokens[0] ?? '')).rejects.toThrow(/trusted key/);
  });
});
