import type { Guest, LoginCheck, TicketView } from '@muster/contracts';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { muster } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { ownStack } from './shared-stack.js';

/** A login of a game, as another system: it publishes keys, rotates them, and fails. */
class Login {
  readonly issuer: string;
  private readonly keys = new Map<string, { key: CryptoKey; jwk: JWK }>();
  private published: readonly JWK[] = [];
  reads = 0;
  /** How it answers instead of well. */
  fault: ((response: ServerResponse) => void) | null = null;

  private constructor(private readonly server: Server) {
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<Login> {
    const box: { login?: Login } = {};
    const server = createServer((request, response) => box.login?.answer(request.url ?? '', response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    box.login = new Login(server);
    await box.login.make('first', 'RS256');
    box.login.publish('first');
    return box.login;
  }

  private answer(path: string, response: ServerResponse): void {
    this.reads++;
    if (this.fault) return this.fault(response);
    const document = { issuer: this.issuer, jwks_uri: `${this.issuer}/keys` };
    response.setHeader('cache-control', 'max-age=600');
    response.end(JSON.stringify(path === '/keys' ? { keys: this.published } : document));
  }

  async make(kid: string, alg: string): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    this.keys.set(kid, { key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } });
  }

  publish(...kids: string[]): void {
    this.published = kids.flatMap((kid) => this.keys.get(kid)?.jwk ?? []);
  }

  token(kid: string, claims: JWTPayload): Promise<string> {
    const { key, jwk } = this.keys.get(kid) ?? {};
    if (!key || !jwk) throw new Error(`no key ${kid}`);
    return new SignJWT({ iss: this.issuer, aud: 'my-game', ...claims })
      .setProtectedHeader({ alg: jwk.alg ?? '', kid })
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(key);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

let login: Login;
let stack: Stack;
let document: string;
beforeAll(async () => {
  login = await Login.start();
  document = JSON.stringify({
    logins: [
      {
        name: 'arcade',
        issuer: login.issuer,
        keys: { discover: true },
        algorithms: ['RS256', 'ES256'],
        audience: 'my-game',
        player: { claim: 'sub', prefix: 'arc' },
        claims: { platform: { claim: 'device', values: { PSN: 'playstation' } } },
      },
    ],
  });
  stack = await ownStack(['--replicas', '2'], { PLAYER_LOGINS: document, GUEST_LOGIN: 'on' });
});
afterAll(async () => {
  await stack?.stop();
  login?.stop();
});

const call = (path: string, token: string | null, body?: object): Promise<Response> =>
  fetch(`${stack.url}${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  });
const statusOf = async (token: string): Promise<number> => (await call('/v1/me/avoided', token)).status;

describe('players of a login with keys by discovery', () => {
  it('queue under ids of its own, on the platform that it vouches for', async () => {
    const token = await login.token('first', { sub: 'auth0|7', device: 'PSN' });
    const made = await call('/v1/tickets', token, { queue: '1v1', platform: 'pc' });
    expect(made.status).toBe(201);
    const ticket = (await made.json()) as TicketView;
    expect(ticket).toMatchObject({
      players: ['arc:auth0@7c7'],
      platforms: { 'arc:auth0@7c7': 'playstation' },
    });
    const { status } = await fetch(`${stack.url}/v1/tickets/${ticket.ticketId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(200);
    // The login of the short form is there as well.
    expect(await statusOf(await stack.token('auth0'))).toBe(200);
  });

  it('are refused for a token of another issuer, audience, key or algorithm', async () => {
    const good = await login.token('first', { sub: 'ann' });
    const [header = '', payload = '', signature = ''] = good.split('.');
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { n } = await exportJWK((await generateKeyPair('RS256')).publicKey);
    const bad = [
      await login.token('first', { sub: 'ann', aud: 'other' }),
      await login.token('first', { sub: 'ann', iss: 'https://else.example' }),
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'HS256', kid: 'first' })}.${payload}.${signature}`,
      `${header}.${encode({ sub: 'eve', iss: login.issuer, aud: 'my-game', exp: 4e9 })}.${signature}`,
      `${encode({ alg: 'RS256', kid: 'first', jwk: { kty: 'RSA', n, e: 'AQAB' } })}.${payload}.${signature}`,
    ];
    const reads = login.reads;
    expect(await Promise.all(bad.map(statusOf))).toEqual(bad.map(() => 401));
    expect(login.reads).toBe(reads);
  });
});

describe('a login', () => {
  /** Players who call without a pause, each with a new token each time. */
  async function load(
    ms: number,
    kid: () => string,
  ): Promise<{ statuses: Set<number>; calls: number; slowestMs: number }> {
    const until = performance.now() + ms;
    const statuses = new Set<number>();
    let [calls, slowestMs] = [0, 0];
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        while (performance.now() < until) {
          const token = await login.token(kid(), { sub: `player-${worker}-${calls}` });
          const begun = performance.now();
          statuses.add(await statusOf(token));
          slowestMs = Math.max(slowestMs, performance.now() - begun);
          calls++;
        }
      }),
    );
    return { statuses, calls, slowestMs };
  }

  it('rotates its key under load, and nobody is refused', { timeout: 60_000 }, async () => {
    await login.make('second', 'ES256');
    let kid = 'first';
    const loaded = load(14_000, () => kid);
    await sleep(2_000);
    // The new key signs from the moment on at which it is published, and the old one is no longer published.
    login.publish('second');
    kid = 'second';
    await sleep(7_000);
    // A cache of the login still has the old set.
    kid = 'first';
    const { statuses, calls } = await loaded;
    expect([...statuses]).toEqual([200]);
    expect(calls).toBeGreaterThan(200);
    login.publish('first', 'second');
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['does not answer', () => undefined],
    ['answers with 10 MB', (response) => void response.end(`{"keys":[],"more":"${'x'.repeat(10_000_000)}"}`)],
    ['answers with no keys', (response) => void response.end('{"keys":[]}')],
    ['refuses', (response) => void response.writeHead(503).end()],
  ])('that %s harms nobody whose key is known', { timeout: 60_000 }, async (_, fault) => {
    login.fault = fault;
    await login.make('unknown', 'ES256');
    const reads = login.reads;
    // Tokens of a key that nobody knows make every process ask.
    const flood = Promise.all(
      Array.from({ length: 200 }, async (__, i) => statusOf(await login.token('unknown', { sub: `x${i}` }))),
    );
    const { statuses, slowestMs } = await load(4_000, () => 'first');
    expect([...statuses]).toEqual([200]);
    expect(slowestMs).toBeLessThan(2_000);
    login.fault = null;
    for (const status of await flood) expect([401, 503]).toContain(status);
    // Two replicas of one service, which were called, and one read in five seconds each.
    expect(login.reads - reads).toBeLessThan(20);
  });
});

describe('a guest', () => {
  const deviceId = 'fK2v9Qm4Tz7Yb1Xc6Wd3Rg8Hn5Jp0LsA';
  const signIn = async (device: string): Promise<{ status: number; guest: Guest }> => {
    const answer = await call('/v1/guest-login', null, { deviceId: device });
    return { status: answer.status, guest: (await answer.json()) as Guest };
  };

  it('is always the same player, and plays', async () => {
    const { status, guest } = await signIn(deviceId);
    expect(status).toBe(200);
    expect(guest.playerId).toMatch(/^guest:[A-Za-z0-9_-]{22}$/);
    expect((await signIn(deviceId)).guest.playerId).toBe(guest.playerId);
    expect((await signIn([...deviceId].toReversed().join(''))).guest.playerId).not.toBe(guest.playerId);
    const made = await call('/v1/tickets', guest.token, { queue: '1v1' });
    expect([made.status, ((await made.json()) as TicketView).players]).toEqual([201, [guest.playerId]]);
  });

  it.each(['', 'short', 'x'.repeat(64), 'ä'.repeat(40), 'x y'.repeat(20)])(
    'needs a secret that is random: %j',
    async (device) => {
      expect((await signIn(device)).status).toBe(400);
    },
  );

  it('is nobody whom another login can name', async () => {
    const { guest } = await signIn(deviceId);
    expect(await statusOf(await stack.token(guest.playerId))).toBe(401);
  });
});

describe('muster logins check', () => {
  it('says which rule refuses a token, and whom it names', async () => {
    const good = await login.token('first', { sub: 'ann', device: 'PSN' });
    const options = ['--url', stack.url, '--operator-key', stack.run.operatorKey, '--json'];
    const accepted = await muster(['logins', 'check', good, ...options]);
    expect([accepted.code, JSON.parse(accepted.stdout) as LoginCheck]).toMatchObject([
      0,
      { accepted: true, login: 'arcade', player: { playerId: 'arc:ann', platform: 'playstation' } },
    ]);
    const bad = await login.token('first', { sub: 'ann', aud: 'other' });
    const refused = await muster(['logins', 'check', bad, ...options]);
    const { rules, login: of } = JSON.parse(refused.stdout) as LoginCheck;
    expect([refused.code, of]).toEqual([1, 'arcade']);
    expect(rules.filter(({ passed }) => !passed)).toEqual([
      { rule: 'audience', passed: false, detail: 'The token is meant for another audience than "my-game".' },
    ]);
  });

  it('does so with a document of its own', async () => {
    const file = join(stack.dataDir, 'logins.json');
    writeFileSync(file, document);
    const { code, stdout } = await muster([
      'logins',
      'check',
      await login.token('first', { sub: 'ann' }),
      '--file',
      file,
    ]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('The token is accepted, by the login arcade.'),
    ]);
    writeFileSync(file, '{"logins":[]}');
    const flawed = await muster(['logins', 'check', 'x.y.z', '--file', file]);
    expect([flawed.code, flawed.stderr]).toEqual([
      1,
      expect.stringMatching(/The logins make no sense:\n {2}.*logins\.json:1:\d+ logins: /),
    ]);
  });
});
