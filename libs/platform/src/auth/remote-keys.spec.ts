import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenAlgorithms, type Algorithm, type Jwk } from './jwt.js';
import { GivenKeys, RemoteKeys } from './remote-keys.js';

const now = Date.UTC(2026, 10, 22);

interface Signer {
  readonly key: CryptoKey;
  readonly jwk: Jwk;
  readonly algorithm: Algorithm;
}

async function signer(algorithm: Algorithm, kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  return { key: privateKey, algorithm, jwk: { ...((await exportJWK(publicKey)) as Jwk), kid } };
}

const tokenOf = ({ key, algorithm, jwk }: Signer): Promise<string> =>
  new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: algorithm, kid: jwk.kid ?? '' }).sign(key);

let provider: Server;
let published: readonly Jwk[];
let reads: number;
let isDown: boolean;
let elapsed: number;
let errors: unknown[];

beforeEach(async () => {
  published = [];
  [reads, elapsed, isDown, errors] = [0, 0, false, []];
  provider = createServer((_, response) => {
    reads++;
    if (isDown) response.writeHead(500).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterEach(() => void provider.close());

function remoteKeys(): RemoteKeys {
  const { port } = provider.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/keys`);
  return new RemoteKeys(
    url,
    tokenAlgorithms,
    () => elapsed,
    (error) => errors.push(error),
  );
}

describe('the keys that an identity provider publishes', () => {
  it.each(tokenAlgorithms)('verify %s, and are read once', async (algorithm) => {
    const staff = await signer(algorithm, 'one');
    published = [staff.jwk];
    const keys = remoteKeys();
    const token = await tokenOf(staff);
    for (let i = 0; i < 3; i++) expect(await keys.claimsOf(token, { now })).toMatchObject({ sub: 'ann' });
    expect(reads).toBe(1);
  });

  it('verify their own algorithm alone, whatever a token says', async () => {
    const [rsa, ec] = [await signer('RS256', 'one'), await signer('ES256', 'one')];
    const keys = new GivenKeys({ keys: [rsa.jwk] }, tokenAlgorithms);
    await expect(keys.claimsOf(await tokenOf(ec), { now })).rejects.toThrow(/not signed by a trusted key/);
    // The public key as the secret of an HMAC.
    const secret = new TextEncoder().encode(JSON.stringify(rsa.jwk));
    const forged = await new SignJWT({ sub: 'ann' })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    await expect(keys.claimsOf(forged, { now })).rejects.toThrow(/not a valid JWT \(EdDSA, ES256, RS256\)/);
  });

  it('are read again for a token of a new key, not for each unknown one', async () => {
    const [old, next] = [await signer('ES256', 'old'), await signer('ES256', 'next')];
    published = [old.jwk];
    const keys = remoteKeys();
    await keys.claimsOf(await tokenOf(old), { now });
    published = [old.jwk, next.jwk];
    // Within half a minute of a read, an unknown key causes none.
    for (let i = 0; i < 3; i++)
      await expect(keys.claimsOf(await tokenOf(next), { now })).rejects.toThrow(/trusted key/);
    expect(reads).toBe(1);
  });

  it('that cannot be read are tried again after a pause, and the reason is told', async () => {
    isDown = true;
    const staff = await signer('ES256', 'one');
    const keys = remoteKeys();
    published = [staff.jwk];
    const token = await tokenOf(staff);
    for (let i = 0; i < 3; i++)
      await expect(keys.claimsOf(token, { now })).rejects.toThrow(/cannot be read right now/);
    expect([reads, errors.length]).toEqual([1, 1]);
    isDown = false;
    elapsed = 5_000;
    expect(await keys.claimsOf(token, { now })).toMatchObject({ sub: 'ann' });
  });
});
