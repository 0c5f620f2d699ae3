import { freePort } from '@muster/embedded';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Fetch } from '../../libs/platform/src/keys/fetch-json.js';
import type { Algorithm, Jwk } from '../../libs/platform/src/keys/jwt.js';
import { readLogins, type LoginSettings } from '../../libs/platform/src/logins/login-document.js';
import { keptApart, Logins, loginsOf, type VouchedPlayer } from '../../libs/platform/src/logins/logins.js';
import { examples } from './pages.js';

const seconds = Math.floor(Date.now() / 1000);
const times = { iat: seconds - 60, exp: seconds + 3_000 };

/** A token of each provider in its own form, and the player that Muster makes of it. */
const fixtures: readonly {
  readonly recipe: string;
  /** Where the provider says that its keys are. */
  readonly keysAt: string;
  readonly claims: JWTPayload;
  readonly player: VouchedPlayer;
}[] = [
  {
    recipe: 'auth0',
    keysAt: 'https://game.eu.auth0.com/.well-known/jwks.json',
    claims: {
      'https://game.example/email_verified': true,
      'https://game.example/nickname': 'Ann',
      iss: 'https://game.eu.auth0.com/',
      sub: 'google-oauth2|103547991597142817347',
      aud: ['https://api.game.example', 'https://game.eu.auth0.com/userinfo'],
      azp: 'my_client_id',
      scope: 'openid profile',
      ...times,
    },
    player: {
      playerId: 'a0:google-oauth2@7c103547991597142817347',
      name: 'Ann',
      claims: { verified: true },
    },
  },
  {
    recipe: 'cognito',
    keysAt: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI/.well-known/jwks.json',
    claims: {
      sub: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      'cognito:groups': ['testers', 'admins'],
      iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI',
      client_id: '4f5g6h7j8k9l0example',
      origin_jti: 'a1',
      event_id: 'b2',
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      auth_time: seconds - 60,
      jti: 'c3',
      username: 'ann',
      ...times,
    },
    player: {
      playerId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      name: 'ann',
      claims: { entitlements: ['beta'] },
    },
  },
  {
    recipe: 'firebase',
    keysAt: 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
    claims: {
      name: 'Ann',
      iss: 'https://securetoken.google.com/my-game',
      aud: 'my-game',
      auth_time: seconds - 60,
      user_id: 'Zk3v9Qm4Tz7Yb1Xc6Wd3Rg8Hn5J2',
      sub: 'Zk3v9Qm4Tz7Yb1Xc6Wd3Rg8Hn5J2',
      firebase: { identities: { 'google.com': ['1035'] }, sign_in_provider: 'google.com' },
      ...times,
    },
    player: { playerId: 'Zk3v9Qm4Tz7Yb1Xc6Wd3Rg8Hn5J2', name: 'Ann', claims: { verified: true } },
  },
  {
    recipe: 'keycloak',
    keysAt: 'http://keycloak:8080/realms/players/protocol/openid-connect/certs',
    claims: {
      jti: 'onrtro:1',
      iss: 'https://id.game.example/realms/players',
      aud: 'account',
      sub: 'f1e2d3c4-0000-4000-8000-000000000001',
      typ: 'Bearer',
      azp: 'game-client',
      sid: 's1',
      realm_access: { roles: ['offline_access', 'season-2026'] },
      scope: 'openid profile email',
      email_verified: false,
      preferred_username: 'ann',
      ...times,
    },
    player: {
      playerId: 'f1e2d3c4-0000-4000-8000-000000000001',
      name: 'ann',
      claims: { verified: false, entitlements: ['season-pass'] },
    },
  },
  {
    recipe: 'epic',
    keysAt: 'https://api.epicgames.dev/auth/v1/oauth/jwks',
    claims: {
      aud: 'xyza7891ExampleClientId',
      sub: '0002a1b2c3d4e5f60718293a4b5c6d7e',
      pfsid: 'sandbox',
      act: { eaid: '76561197960287930', eat: 'steam', pltfm: 'steam', dty: 'unknown' },
      pfdid: '1a2b3c4d5e6fExampleDeployment',
      iss: 'https://api.epicgames.dev/auth/v1/oauth',
      tokenType: 'idToken',
      pfpid: 'product',
      ...times,
    },
    player: { playerId: '0002a1b2c3d4e5f60718293a4b5c6d7e', platform: 'pc', claims: {} },
  },
  {
    recipe: 'own',
    keysAt: 'https://accounts.game.example/jwks.json',
    claims: {
      iss: 'https://accounts.game.example',
      aud: 'muster',
      sub: 'alice',
      muster: {
        verified: true,
        playMinutes: 90,
        entitlements: ['season-pass'],
        platform: 'switch',
        name: 'Alice',
      },
      ...times,
    },
    player: {
      playerId: 'alice',
      name: 'Alice',
      platform: 'switch',
      claims: { verified: true, playMinutes: 90, entitlements: ['season-pass'] },
    },
  },
];

const recipeOf = (name: string): readonly LoginSettings[] => {
  const example = examples().find(({ page, kind }) => page === 'docs/logins.md' && kind === `logins ${name}`);
  const read = readLogins(example?.text ?? '');
  if (!read.ok) throw new Error(read.flaws.join('\n'));
  return read.value;
};

async function keyOf(algorithm: Algorithm): Promise<{ readonly key: CryptoKey; readonly jwk: Jwk }> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...((await exportJWK(publicKey)) as Jwk), kid: 'fixture', use: 'sig', alg: algorithm };
  return { key: privateKey, jwk };
}

/** Answers for a provider: with its discovery document, and its keys where that says. */
const providerOf =
  (issuer: string, keysAt: string, jwk: Jwk): Fetch =>
  async ({ href }) => {
    if (href === keysAt) return Response.json({ keys: [jwk] });
    const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    if (href === discovery) return Response.json({ issuer, jwks_uri: keysAt });
    return new Response(null, { status: 404 });
  };

describe.each(fixtures)('the recipe of $recipe', ({ recipe, keysAt, claims, player }) => {
  let logins: Logins;
  let tokenOf: (said: JWTPayload) => Promise<string>;
  beforeAll(async () => {
    const settings = recipeOf(recipe);
    const [algorithm = 'RS256'] = settings[0]?.algorithms ?? [];
    const { key, jwk } = await keyOf(algorithm);
    const fetch = providerOf(String(claims.iss), keysAt, jwk);
    const errors: unknown[] = [];
    const surroundings = {
      elapsed: () => performance.now(),
      onError: (error: unknown) => void errors.push(error),
      fetch,
    };
    logins = new Logins(keptApart(loginsOf(settings, surroundings)));
    tokenOf = (said) =>
      new SignJWT(said).setProtectedHeader({ alg: algorithm, kid: 'fixture', typ: 'JWT' }).sign(key);
  });

  const asked = async (said: JWTPayload): Promise<VouchedPlayer> =>
    logins.playerOf(await tokenOf(said), Date.now());

  it('takes a token of the provider’s form, and makes a player of it', async () => {
    expect(await asked(claims)).toEqual(player);
  });

  it('refuses one for another game, of another issuer, and one that has expired', async () => {
    const other = claims.aud === undefined ? { client_id: 'another' } : { aud: 'another-game' };
    await expect(asked({ ...claims, ...other })).rejects.toThrow(/audience|client_id/);
    await expect(asked({ ...claims, iss: `${String(claims.iss)}x` })).rejects.toThrow(/"iss"/);
    await expect(asked({ ...claims, exp: seconds - 31 })).rejects.toThrow(/expired/);
  });
});

describe('the exchange of docs/logins.md', () => {
  let store: Server;
  let exchange: ChildProcess;
  let url: string;
  let logins: Logins;
  const asked: { url: string; secret: unknown; body: string }[] = [];

  beforeAll(async () => {
    store = createServer(async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += String(part);
      asked.push({ url: request.url ?? '', secret: request.headers['x-secretkey'], body });
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://store');
      if (body.includes('down') || searchParams.get('ticket') === 'down')
        return void response.writeHead(503).end();
      const steam = {
        good: {
          params: {
            result: 'OK',
            steamid: '76561197960287930',
            ownersteamid: '76561197960287930',
            vacbanned: false,
            publisherbanned: false,
          },
        },
        banned: { params: { result: 'OK', steamid: '1', vacbanned: true, publisherbanned: true } },
      };
      const ofSteam = new Map<string, object>(Object.entries(steam)).get(searchParams.get('ticket') ?? '');
      const playfab = body.includes('good')
        ? {
            code: 200,
            status: 'OK',
            data: {
              IsSessionTicketExpired: false,
              UserInfo: { PlayFabId: 'A1B2C3', Created: '2026-01-01T00:00:00Z' },
            },
          }
        : { code: 400, status: 'BadRequest', error: 'InvalidSessionTicket' };
      const steamAnswer = { response: ofSteam ?? { error: { errorcode: 101, errordesc: 'Invalid ticket' } } };
      response.end(JSON.stringify(pathname.startsWith('/ISteam') ? steamAnswer : playfab));
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    const api = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
    const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    exchange = spawn(process.execPath, ['docs/examples/login-exchange.mjs'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        ISSUER: 'https://login.game.example',
        LOGIN_KEY: JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'one', alg: 'EdDSA' }),
        STEAM_API: api,
        STEAM_KEY: 'publisher',
        STEAM_APP: '480',
        PLAYFAB_API: api,
        PLAYFAB_KEY: 'title',
      },
    });
    await vi.waitFor(() => fetch(`${url}/jwks`), { timeout: 20_000, interval: 50 });
    const fetchKeys: Fetch = () => fetch(`${url}/jwks`);
    const surroundings = { elapsed: () => performance.now(), onError: () => undefined, fetch: fetchKeys };
    logins = new Logins(loginsOf(recipeOf('exchange'), surroundings));
  });
  afterAll(() => {
    exchange.kill();
    store.close();
  });

  const post = async (path: string, ticket: string): Promise<{ status: number; token: string }> => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: ticket });
    const { token = '' } = (await answer.json()) as { token?: string };
    return { status: answer.status, token };
  };

  it('makes a token of a ticket of Steam, and of PlayFab, which the recipe takes', async () => {
    const { status, token } = await post('/steam', 'good');
    expect(status).toBe(200);
    expect(await logins.playerOf(token, Date.now())).toEqual({
      playerId: 'steam:76561197960287930',
      platform: 'pc',
      claims: { verified: true },
    });
    expect(asked.at(-1)?.url).toBe(
      '/ISteamUserAuth/AuthenticateUserTicket/v1/?key=publisher&appid=480&ticket=good&identity=muster',
    );
    const other = await post('/playfab', 'good');
    expect(await logins.playerOf(other.token, Date.now())).toEqual({
      playerId: 'playfab:A1B2C3',
      claims: { accountCreatedAt: Date.UTC(2026, 0, 1) },
    });
    expect(asked.at(-1)).toMatchObject({ secret: 'title', body: '{"SessionTicket":"good"}' });
  });

  it.each([
    ['/steam', 'forged', 401],
    ['/steam', 'banned', 401],
    ['/playfab', 'forged', 401],
    ['/steam', 'down', 502],
    ['/steam', 'x'.repeat(10_000), 404],
    ['/itch', 'good', 404],
  ])('answers no token for %s with %s: %i', async (path, ticket, status) => {
    expect(await post(path, ticket)).toEqual({ status, token: '' });
  });

  it('is short', () => {
    expect(readFileSync('docs/examples/login-exchange.mjs', 'utf8').split('\n').length).toBeLessThanOrEqual(
      61,
    );
  });
});
