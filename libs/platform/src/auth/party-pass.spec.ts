import { PartyPassRefused } from '@muster/domain';
import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { CoordinatorTokens } from './tokens.js';

const now = Date.UTC(2026, 10, 22);
let tokens: CoordinatorTokens;

beforeAll(async () => {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  tokens = new CoordinatorTokens(JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'own' }));
});

const member = { playerId: 'bob', claims: {}, canPlay: ['healer'] };

describe('a party pass', () => {
  it('states that its leader may reuse it until it expires, and can be read repeatedly', async () => {
    const { pass, reusable } = tokens.partyPass(member, 'alice', now);
    expect(reusable).toBe(true);
    for (let use = 1; use <= 2; use++) expect(tokens.readPartyPass(pass, 'alice', now)).toEqual(member);
  });

  it('carries the build and the platform of its member', async () => {
    const client = { build: '1.4', platform: 'xbox', crossPlay: false };
    const { pass } = tokens.partyPass({ ...member, ...client }, 'alice', now);
    expect(tokens.readPartyPass(pass, 'alice', now)).toEqual({ ...member, ...client });
  });

  it('is rejected for another leader, and after its expiry', async () => {
    const { pass } = tokens.partyPass(member, 'alice', now);
    expect(() => tokens.readPartyPass(pass, 'mallory', now)).toThrow(PartyPassRefused);
    const old = tokens.partyPass(member, 'alice', now - 600_000);
    expect(() => tokens.readPartyPass(old.pass, 'alice', now)).toThrow(PartyPassRefused);
  });
});
