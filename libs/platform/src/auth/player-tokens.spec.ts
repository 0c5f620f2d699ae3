import { NotAuthenticated } from '@muster/domain';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { PlayerTokens } from './tokens.js';

const now = Date.UTC(2026, 10, 22);
const seconds = Math.floor(now / 1000);
let key: CryptoKey;
let jwks: string;

beforeAll(async () => {
  const pair = await generateKeyPair('EdDSA');
  key = pair.privateKey;
  jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'login', alg: 'EdDSA' }] });
});

/** A token with exactly these claims: the builder's setters reject a `sub` that is not a string. */
const tokenOf = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: 'EdDSA', kid: 'login' }).sign(key);

/** Why a token with these claims is rejected; empty if it is not. */
async function refusalOf(players: PlayerTokens, claims: Record<string, unknown>): Promise<string> {
  const token = await tokenOf(claims);
  try {
    players.playerOf(token, now);
    return '';
  } catch (error) {
    return String(error);
  }
}

const good = { sub: 'alice', exp: seconds + 60 };

describe('the token of a player', () => {
  it('names the player', async () => {
    const player = new PlayerTokens(jwks).playerOf(await tokenOf(good), now);
    expect(player.playerId).toBe('alice');
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
    expect(() => new PlayerTokens(jwks).playerOf(token, now)).toThrow(NotAuthenticated);
  });

  it.each(['bot:1', 'bot:', 'erased-0123456789abcdef01', 'erased-ann'])(
    'is rejected for the reserved id %s',
    async (sub) => {
      expect(await refusalOf(new PlayerTokens(jwks), { ...good, sub })).toMatch(
        /`sub` must not begin with bot: or erased-: these prefixes are reserved/,
      );
    },
  );

  it.each(['bot', 'robot:1', 'erased', 'unerased-ann'])('names %s, which is not reserved', async (sub) => {
    expect(await refusalOf(new PlayerTokens(jwks), { ...good, sub })).toBe('');
  });

  it('is rejected without sub or exp', async () => {
    const players = new PlayerTokens(jwks);
    expect(await refusalOf(players, { exp: good.exp })).toMatch(/"sub"/);
    expect(await refusalOf(players, { sub: 'alice' })).toMatch(/"exp"/);
  });

  it.each([1e300, 1e15])('is rejected if its exp is no time: %s', async (exp) => {
    expect(await refusalOf(new PlayerTokens(jwks), { ...good, exp })).toMatch(/`exp` is not a time/);
  });

  it('is rejected without the required issuer', async () => {
    const players = new PlayerTokens(jwks, { issuer: 'https://login.example' });
    expect(await refusalOf(players, good)).toMatch(/"iss"/);
    expect(await refusalOf(players, { ...good, iss: 'else' })).toMatch(/"iss"/);
    const token = await tokenOf({ ...good, iss: 'https://login.example' });
    expect(players.playerOf(token, now)).toMatchObject({ playerId: 'alice' });
  });

  it('is rejected if its lifetime exceeds the maximum', async () => {
    const players = new PlayerTokens(jwks, { longestSeconds: 3_600 });
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
