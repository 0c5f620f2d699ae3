import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { CoordinatorIds } from './coordinator-ids.js';
import { keyFor, keysFor } from './coordinator-keys.js';
import { ids } from '../core/ids.js';
import { CoordinatorTokens } from './tokens.js';

const server = (serverId: string) => ({ serverId, incarnation: 1, keyId: null, signsFor: null });
const dayMs = 86_400_000;

async function newKey(kid?: string): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return JSON.stringify({ ...(await exportJWK(privateKey)), ...(kid === undefined ? {} : { kid }) });
}

let old: string;
let next: string;
beforeAll(async () => {
  [old, next] = [await newKey('old'), await newKey('next')];
});

describe('a server token', () => {
  it('is verified once in ten minutes, also while more than 10,000 servers send heartbeats', () => {
    const tokens = new CoordinatorTokens(old);
    const token = tokens.serverToken(server('server-1'), dayMs, 0);
    const first = tokens.readServerToken(token, 0);
    for (let n = 2; n <= 10_002; n++)
      tokens.readServerToken(tokens.serverToken(server(`server-${n}`), dayMs, 0), 0);
    // The same object: nothing was verified again.
    expect(tokens.readServerToken(token, 599_999)).toBe(first);
    expect(tokens.readServerToken(token, 600_000)).not.toBe(first);
    expect(first).toEqual({ ...server('server-1'), renewAt: dayMs / 2 });
  });

  it('expires, also while its verification is cached', () => {
    const tokens = new CoordinatorTokens(old);
    const token = tokens.serverToken(server('s'), 60_000, 0);
    tokens.readServerToken(token, 59_999);
    expect(() => tokens.readServerToken(token, 60_000)).toThrow(/has expired/);
  });

  it('is renewed in the second half of its life, and not signed again for each heartbeat of a server that ignores that', () => {
    const tokens = new CoordinatorTokens(old);
    const known = tokens.readServerToken(tokens.serverToken(server('s'), 60_000, 0), 0);
    expect(tokens.renewal(known, 60_000, 29_999)).toBeNull();
    const renewed = tokens.renewal(known, 60_000, 30_000);
    expect(tokens.renewal(known, 60_000, 44_000)).toBe(renewed);
    expect(tokens.readServerToken(String(renewed), 89_999)).toMatchObject({
      ...server('s'),
      renewAt: 60_000,
    });
  });
});

it('names the fleet key that registered the server, and whether the server must sign', () => {
  const tokens = new CoordinatorTokens(old);
  for (const signsFor of [null, 'flk_1']) {
    const made = { ...server(`s-${signsFor}`), keyId: 'flk_1', signsFor };
    const known = tokens.readServerToken(tokens.serverToken(made, 60_000, 0), 0);
    expect(known).toMatchObject(made);
    expect(tokens.readServerToken(String(tokens.renewal(known, 60_000, 40_000)), 40_000)).toMatchObject(made);
  }
});

describe('two keys of the coordinator', () => {
  it('are both verified and published, and the first signs', () => {
    const former = new CoordinatorTokens(old);
    const both = new CoordinatorTokens(`${next}\n${old}`);
    const later = new CoordinatorTokens(next);
    expect(both.jwks.keys.map(({ kid, d }) => [kid, d])).toEqual([
      ['next', undefined],
      ['old', undefined],
    ]);
    const token = former.serverToken(server('s'), dayMs, 0);
    const known = both.readServerToken(token, 0);
    expect(() => later.readServerToken(token, 0)).toThrow(/trusted key/);
    // The next heartbeat brings a token of the present key.
    const renewed = both.renewal(known, dayMs, 1_000);
    expect(later.readServerToken(String(renewed), 1_000)).toMatchObject(server('s'));
    const consent = { playerId: 'ann', claims: {}, canPlay: [] };
    expect(both.readPartyPass(former.partyPass(consent, 'bob', 0).pass, 'bob', 0)).toEqual(consent);
    expect(later.readPartyPass(both.partyPass(consent, 'bob', 0).pass, 'bob', 0)).toEqual(consent);
  });

  it('both make ids of tickets genuine', () => {
    const idsOf = (setting: string) => new CoordinatorIds(setting, () => 5_000, ids);
    const both = idsOf(`${next} ${old}`);
    expect(both.read(idsOf(old).make('tkt'))).toEqual({ createdAt: 5_000 });
    expect(idsOf(next).read(both.derive('tkt', 'text'))).toEqual({ createdAt: null });
    expect(idsOf(next).read(idsOf(old).make('tkt'))).toBeNull();
    expect(keysFor('it', `${next} ${old}`)).toEqual([keyFor('it', next), keyFor('it', old)]);
  });

  it('of one name are refused: nobody could tell their tokens apart', async () => {
    for (const [a, b] of [
      [await newKey('same'), await newKey('same')],
      [await newKey(), await newKey('coordinator')],
    ])
      expect(() => new CoordinatorTokens(`${a}\n${b}`)).toThrow(/same `kid`/);
    expect(() => new CoordinatorTokens('')).toThrow(/JSON/);
  });
});
