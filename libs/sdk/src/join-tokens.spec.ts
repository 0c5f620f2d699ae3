import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JoinRefused, JoinTokens, type JoinRefusal } from './join-tokens.js';

interface Signer {
  readonly jwk: JWK;
  sign(claims?: JWTPayload): Promise<string>;
}

const start = Date.parse('2026-11-26T12:00:00Z');
const seconds = (ms: number): number => Math.floor(ms / 1_000);

async function signer(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' },
    sign: (claims = {}) => signed(privateKey, kid, claims),
  };
}

function signed(key: CryptoKey, kid: string, claims: JWTPayload): Promise<string> {
  const said = { sub: 'ann', match: 'mat_1', session: 'ses_1', team: 1, iss: 'muster', aud: 'muster-join' };
  return new SignJWT({ ...said, exp: seconds(start) + 600, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .sign(key);
}

let keys: JWK[];
let fetches: number;
let now: number;
let server: Server;
let url: string;
let first: Signer;
let joins: JoinTokens;

beforeEach(async () => {
  first = await signer('one');
  [keys, fetches, now] = [[first.jwk], 0, start];
  server = createServer((_request, response) => {
    fetches++;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  joins = new JoinTokens({ url, now: () => now });
});
const leave = async (): Promise<void> => {
  if (!server.listening) return;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};
afterEach(leave);

/** The code of the refusal. */
async function refusal(token: string, sessionId = 'ses_1'): Promise<JoinRefusal | null> {
  return joins.verify(token, sessionId).then(
    () => null,
    (error: unknown) => (error instanceof JoinRefused ? error.code : Promise.reject(error)),
  );
}

describe('a join token', () => {
  it('says who joins which session', async () => {
    expect(await joins.verify(await first.sign(), 'ses_1')).toEqual({
      playerId: 'ann',
      matchId: 'mat_1',
      sessionId: 'ses_1',
      team: 1,
      expiresAt: start + 600_000,
    });
  });

  it('is refused with its reason', async () => {
    const other = await signer('one');
    const [head = '', body = ''] = (await first.sign()).split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const refusals = await Promise.all([
      refusal(await first.sign({ exp: seconds(start) - 31 })),
      refusal(await first.sign({ exp: seconds(start) - 29 })),
      refusal(await first.sign({ aud: 'muster-server' })),
      refusal(await first.sign({ aud: 'muster-party' })),
      refusal(await first.sign({ iss: 'another' })),
      refusal(await first.sign({ session: 'ses_2' })),
      refusal(await first.sign({ team: 'red' })),
      refusal(await first.sign({ team: -1 })),
      refusal(await first.sign({ exp: undefined })),
      refusal(await other.sign()),
      refusal(`${head}.${body}.`),
      refusal(unsigned),
      refusal(''),
      refusal('x'.repeat(100_000)),
    ]);
    expect(refusals).toEqual([
      'expired',
      null,
      'other-audience',
      'other-audience',
      'other-audience',
      'other-session',
      'malformed',
      'malformed',
      'malformed',
      'untrusted',
      'untrusted',
      'malformed',
      'malformed',
      'malformed',
    ]);
    expect(fetches).toBe(1);
  });
});

describe('the public keys', () => {
  it('are enough while the coordinator is away', async () => {
    await joins.load();
    await leave();
    now = start + 700_000;
    expect(await refusal(await first.sign({ exp: seconds(now) + 60 }))).toBeNull();
    expect(await refusal(await (await signer('two')).sign({ exp: seconds(now) + 60 }))).toBe('untrusted');
  });

  it('are asked for again until the coordinator answers', async () => {
    const { port } = server.address() as AddressInfo;
    const answering = server;
    await leave();
    expect(await refusal(await first.sign())).toBe('keys-unavailable');
    await new Promise<void>((resolve) => answering.listen(port, '127.0.0.1', resolve));
    expect(await refusal(await first.sign())).toBeNull();
  });

  it('are replaced by those of a coordinator whose key was rotated', async () => {
    expect(await refusal(await first.sign())).toBeNull();
    const second = await signer('two');
    keys = [second.jwk];
    now = start + 31_000;
    expect(await refusal(await second.sign())).toBeNull();
    expect(await refusal(await first.sign())).toBe('untrusted');
    expect(fetches).toBe(2);
  });

  it('are replaced after ten minutes, and not by an empty set', async () => {
    expect(await refusal(await first.sign())).toBeNull();
    keys = [];
    now = start + 601_000;
    await joins.load();
    const second = await signer('two');
    expect(await refusal(await first.sign({ exp: seconds(now) + 60 }))).toBeNull();
    keys = [second.jwk];
    now += 1_000;
    await joins.load();
    expect(await refusal(await first.sign({ exp: seconds(now) + 60 }))).toBe('untrusted');
  });

  it('are fetched once for many forged tokens', async () => {
    const forged = await Promise.all([...Array(20).keys()].map(async (i) => (await signer(`k${i}`)).sign()));
    expect(new Set(await Promise.all(forged.map((token) => refusal(token))))).toEqual(new Set(['untrusted']));
    expect(fetches).toBe(1);
    now = start + 31_000;
    for (const token of forged) await refusal(token);
    expect(fetches).toBe(2);
  });
});
