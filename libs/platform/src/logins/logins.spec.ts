import { NotAuthenticated } from '@muster/domain';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkToken } from './check-token.js';
import { readLogins } from './login-document.js';
import { keptApart, loginOfSettings, Logins, loginsOf } from './logins.js';

const now = Date.UTC(2026, 10, 22);
const seconds = Math.floor(now / 1000);
let key: CryptoKey;
let jwks: string;

beforeAll(async () => {
  const pair = await generateKeyPair('EdDSA');
  key = pair.privateKey;
  jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'login', alg: 'EdDSA' }] });
});

/** The login of PLAYER_JWKS alone. */
const byKey = (demands: Parameters<typeof loginOfSettings>[1] = {}): Logins =>
  new Logins([loginOfSettings(jwks, demands)]);

/** A token with exactly these claims: the builder's setters reject a `sub` that is not a string. */
const tokenOf = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: 'EdDSA', kid: 'login' }).sign(key);

/** Why a token with these claims is rejected; empty if it is not. */
async function refusalOf(players: Logins, claims: Record<string, unknown>): Promise<string> {
  const token = await tokenOf(claims);
  try {
    await players.playerOf(token, now);
    return '';
  } catch (error) {
    return String(error);
  }
}

const good = { sub: 'alice', exp: seconds + 60 };

describe('the token of a player', () => {
  it('names the player', async () => {
    expect(byKey().playerOf(await tokenOf(good), now)).toMatchObject({ playerId: 'alice' });
  });

  it.each([
    ['a number', 12345],
    ['a list of one name', ['alice']],
    ['an object', { id: 'alice' }],
    ['true', true],
    ['null', null],
    ['empty', ''],
    ['65 characters long', 'a'.repeat(65)],
    ['with a space', 'al ice'],
    ['with a line feed at its end', 'alice\n'],
    ['with a colon in front', ':alice'],
    ['with a NUL', 'al\u0000ice'],
    ['in look-alike letters', 'аlice'],
  ])('is rejected if its sub is %s', async (_, sub) => {
    const token = await tokenOf({ ...good, sub });
    expect(() => byKey().playerOf(token, now)).toThrow(NotAuthenticated);
  });

  it.each(['bot:1', 'bot:', 'erased-0123456789abcdef01', 'erased-ann'])(
    'is rejected for the reserved id %s',
    async (sub) => {
      expect(await refusalOf(byKey(), { ...good, sub })).toMatch(
        /`sub` must not begin with bot: or erased-: these prefixes are reserved/,
      );
    },
  );

  it.each(['bot', 'robot:1', 'erased', 'unerased-ann'])('names %s, which is not reserved', async (sub) => {
    expect(await refusalOf(byKey(), { ...good, sub })).toBe('');
  });

  it('is rejected without sub or exp', async () => {
    const players = byKey();
    expect(await refusalOf(players, { exp: good.exp })).toMatch(/"sub"/);
    expect(await refusalOf(players, { sub: 'alice' })).toMatch(/"exp"/);
  });

  it.each([1e300, 1e15])('is rejected if its exp is no time: %s', async (exp) => {
    expect(await refusalOf(byKey(), { ...good, exp })).toMatch(/`exp` is not a time/);
  });

  it('is rejected without the required issuer', async () => {
    const players = byKey({ issuer: 'https://login.example' });
    expect(await refusalOf(players, good)).toMatch(/"iss"/);
    expect(await refusalOf(players, { ...good, iss: 'else' })).toMatch(/"iss"/);
    const token = await tokenOf({ ...good, iss: 'https://login.example' });
    expect(players.playerOf(token, now)).toMatchObject({ playerId: 'alice' });
  });

  it('is rejected if its lifetime exceeds the maximum', async () => {
    const players = byKey({ longestSeconds: 3_600 });
    const lifetimes = [
      { exp: seconds + 3_601 },
      { exp: seconds + 60, iat: seconds - 3_600 },
      // An issue date in the future does not shorten the lifetime.
      { exp: seconds + 7_200, iat: seconds + 7_000 },
    ];
    for (const times of lifetimes) expect(await refusalOf(players, { ...good, ...times })).toMatch(/3600 s/);
    for (const times of [{ exp: seconds + 3_600 }, { exp: seconds + 600, iat: seconds - 3_000 }])
      expect(players.playerOf(await tokenOf({ ...good, ...times }), now)).toMatchObject({
        playerId: 'alice',
      });
  });
});

describe('several logins', () => {
  const [a, b] = ['https://a.example', 'https://b.example'];

  /** Logins whose keys are all that of this file. */
  const logins = (text: string, more: readonly ReturnType<typeof loginOfSettings>[] = []): Logins => {
    const read = readLogins(text.replaceAll('KEYS', jwks).replaceAll('ALG', 'algorithms: [EdDSA]'));
    if (!read.ok) throw new Error(read.flaws.join('\n'));
    const surroundings = { elapsed: () => 0, onError: () => undefined };
    return new Logins(keptApart([...loginsOf(read.value, surroundings), ...more]));
  };
  const two = `
logins:
  - { name: a, issuer: ${a}, keys: KEYS, ALG, player: { prefix: a }, audience: game, longestSeconds: 600 }
  - name: b
    issuer: ${b}
    keys: KEYS
    ALG
    player: { claim: user.id, prefix: b }
    require: { use: access, roles: [player, tester] }
    claims:
      verified: { claim: provider, is: [steam] }
      playMinutes: { claim: played, unit: hours }
      platform: { claim: on, values: { PSN: playstation } }
      entitlements: { claim: owns, values: { DLC_1: expansion } }
      name: nick
      accountCreatedAt: since
`;

  it('are told apart by the issuer, and their players by a prefix', async () => {
    const players = logins(two);
    const ofA = await tokenOf({ iss: a, sub: 'auth0|7', aud: ['game'], exp: seconds + 60 });
    expect(players.playerOf(ofA, now)).toEqual({ playerId: 'a:auth0@7c7', claims: {} });
    const ofB = await tokenOf({
      iss: b,
      user: { id: 'auth0|7' },
      use: 'access',
      roles: ['admin', 'tester'],
      exp: seconds + 60,
      provider: 'steam',
      played: 1.5,
      on: 'PSN',
      owns: ['DLC_1', 'DLC_2'],
      nick: 'Ann',
      since: '2026-01-01T00:00:00Z',
    });
    expect(players.playerOf(ofB, now)).toEqual({
      playerId: 'b:auth0@7c7',
      name: 'Ann',
      platform: 'playstation',
      claims: {
        verified: true,
        playMinutes: 90,
        accountCreatedAt: Date.UTC(2026, 0, 1),
        entitlements: ['expansion'],
      },
    });
  });

  it.each<[string, object, RegExp]>([
    ['of an issuer that is not theirs', { iss: 'https://c.example' }, /"iss" names no login that is trusted/],
    ['of no issuer', { iss: undefined }, /"iss" is missing: it names the login/],
    ['of a list of issuers', { iss: [a] }, /"iss" names no login/],
    ['for another audience', { aud: 'other' }, /another audience than "game"/],
    ['for no audience', { aud: undefined }, /"aud"/],
    ['that is valid for long', { exp: seconds + 3_600 }, /more than 600 s/],
    ['that ended half a minute ago', { exp: seconds - 30 }, /expired/],
    ['for a player without an id', { sub: '' }, /empty or not well-formed/],
    ['for half a character', { sub: '\uD800' }, /empty or not well-formed/],
  ])('refuse a token %s', async (_, claims, says) => {
    const said = { iss: a, sub: 'ann', aud: 'game', exp: seconds + 60, ...claims };
    expect(await refusalOf(logins(two), said)).toMatch(says);
  });

  it.each<[string, object, RegExp]>([
    ['use', { use: 'id' }, /"use"/],
    ['roles', { roles: [] }, /"roles"/],
    ['a path', { user: {} }, /"user.id"/],
    ['a path', { user: null }, /"user.id"/],
  ])('refuse a token for what is required: %s', async (_, claims, says) => {
    const said = { iss: b, user: { id: 'ann' }, use: 'access', roles: 'player', exp: seconds + 60 };
    expect(await refusalOf(logins(two), said)).toBe('');
    expect(await refusalOf(logins(two), { ...said, ...claims })).toMatch(says);
  });

  it('take a clock that is wrong by their tolerance', async () => {
    const said = { iss: a, sub: 'ann', aud: 'game' };
    expect(await refusalOf(logins(two), { ...said, exp: seconds - 29, nbf: seconds + 30 })).toBe('');
    expect(await refusalOf(logins(two), { ...said, exp: seconds + 60, nbf: seconds + 31 })).toMatch(
      /not valid yet/,
    );
  });

  it('without a prefix never give an id of a login with one', async () => {
    const players = logins(two, [loginOfSettings(jwks, {})]);
    for (const sub of ['a:ann', 'b:ann'])
      expect(await refusalOf(players, { ...good, sub })).toMatch(/must not begin with [ab]:/);
    expect(await refusalOf(players, { ...good, sub: 'c:ann' })).toBe('');
  });

  it('say nothing of a player whose claims are of another form', async () => {
    const said = { iss: b, user: { id: 'ann' }, use: 'access', roles: 'player', exp: seconds + 60 };
    for (const odd of [null, {}, [], 7.5e300, '', 'x'.repeat(200), '\u0000', true]) {
      const token = await tokenOf({
        ...said,
        provider: odd,
        played: odd,
        on: odd,
        owns: odd,
        nick: odd,
        since: odd,
      });
      const player = await logins(two).playerOf(token, now);
      expect(player.claims.verified).toBe(false);
      expect(player.platform).toBeUndefined();
      expect(player.claims.entitlements).toEqual([]);
    }
  });

  it('are checked rule by rule', async () => {
    const token = await tokenOf({ iss: a, sub: 'ann', aud: 'other', exp: seconds + 3_600 });
    const check = await checkToken(logins(two), token, now);
    expect(check).toMatchObject({ accepted: false, login: 'a', player: { playerId: 'a:ann' } });
    expect(check.rules.filter(({ passed }) => !passed).map(({ rule }) => rule)).toEqual([
      'lifetime',
      'audience',
    ]);
    expect(check.rules.map(({ rule }) => rule)).toEqual([
      'form',
      'login',
      'algorithm',
      'key',
      'signature',
      'issuer',
      'times',
      'lifetime',
      'audience',
      'required claims',
      'player',
      'facts',
    ]);
  });

  it.each(['', 'x', 'a.b.c', '..', 'eyJhbGciOiJub25lIn0.e30.'])(
    'check what is no token: %j',
    async (token) => {
      expect(await checkToken(logins(two), token, now)).toMatchObject({
        accepted: false,
        rules: [{ passed: false }],
      });
    },
  );

  it('refuse any other text, and fail in no other way', async () => {
    const encoded = (value: unknown): string =>
      Buffer.from(JSON.stringify(value) ?? '').toString('base64url');
    const part = fc.oneof(
      fc.base64String(),
      fc.json({ maxDepth: 2 }).map((text) => encoded(JSON.parse(text))),
    );
    const header = fc.record({
      alg: fc.constantFrom('EdDSA', 'ES256', 'none', 'HS256', 7, null),
      kid: fc.anything(),
    });
    const payload = fc.record({ iss: fc.constantFrom(a, b, null, 1), sub: fc.json(), exp: fc.anything() });
    const tokens = fc.oneof(
      fc.string(),
      fc.tuple(part, part, part).map((parts) => parts.join('.')),
      fc.tuple(header, payload, fc.base64String()).map(([h, p, s]) => `${encoded(h)}.${encoded(p)}.${s}`),
    );
    const players = logins(two);
    await fc.assert(
      fc.asyncProperty(tokens, async (token) => {
        await expect((async () => players.playerOf(token, now))()).rejects.toBeInstanceOf(NotAuthenticated);
        expect(await checkToken(players, token, now)).toMatchObject({ accepted: false });
      }),
    );
  });

  it('name the keys of a login whose key a token does not name', async () => {
    const other = await generateKeyPair('EdDSA');
    const token = await new SignJWT({ iss: a, sub: 'ann', aud: 'game', exp: seconds + 60 })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'stage' })
      .sign(other.privateKey);
    const { rules } = await checkToken(logins(two), token, now);
    expect(rules.find(({ rule }) => rule === 'key')?.detail).toMatch(
      /trusted key\. The keys: the login has login\./,
    );
  });
});
