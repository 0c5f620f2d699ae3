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

const good = { sub: 'alice', exp: seconds + 60 };

describe('the token of a player', () => {
  it('names the player', async () => {
    const player = await new PlayerTokens(jwks).playerOf(await tokenOf(good), now);
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
    await expect(new PlayerTokens(jwks).playerOf(token, now)).rejects.toThrow(NotAuthenticated);
  });

  it('is rejected without sub or exp', async () => {
    const players = new PlayerTokens(jwks);
    await expect(players.playerOf(await tokenOf({ exp: good.exp }), now)).rejects.toThrow(/"sub"/);
    await expect(players.playerOf(await tokenOf({ sub: 'alice' }), now)).rejects.toThrow(/"exp"/);
  });

  it('is rejected without the required issuer', async () => {
    const players = new PlayerTokens(jwks, { issuer: 'https://login.example' });
    await expect(players.playerOf(await tokenOf(good), now)).rejects.toThrow(/"iss"/);
    await expect(players.playerOf(await tokenOf({ ...good, iss: 'else' }), now)).rejects.toThrow(/"iss"/);
    const token = await tokenOf({ ...good, iss: 'https://login.example' });
    expect(await players.playerOf(token, now)).toMatchObject({ playerId: 'alice' });
  });

  it('is rejected if its lifetime exceeds the maximum', async () => {
    const players = new PlayerTokens(jwks, { longestSeconds: 3_600 });
    const lifetimes = [
      { exp: seconds + 3_601 },
      { exp: seconds + 60, iat: seconds - 3_600 },
      // An issue date in the future does not shorten the lifetime.
      { exp: seconds + 7_200, iat: seconds + 7_000 },
    ];
    for (const times of lifetimes)
      await expect(players.playerOf(await tokenOf({ ...good, ...times }), now)).rejects.toThrow(/3600 s/);
    for (const times of [{ exp: seconds + 3_600 }, { exp: seconds + 600, iat: seconds - 3_000 }])
      expect(await players.playerOf(await tokenOf({ ...good, ...times }), now)).toMatchObject({
        playerId: 'alice',
      });
  });
});
