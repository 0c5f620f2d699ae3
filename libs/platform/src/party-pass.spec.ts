import { PartyPassRefused } from '@muster/domain';
import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { CoordinatorTokens } from './tokens.js';

let tokens: CoordinatorTokens;

beforeAll(async () => {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  tokens = await CoordinatorTokens.from(JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'own' }));
});

const member = { playerId: 'bob', claims: {}, canPlay: ['healer'] };

describe('a party pass', () => {
  it('states that its leader may reuse it until it expires, and can be read repeatedly', async () => {
    const { pass, reusable } = await tokens.partyPass(member, 'alice', Date.now());
    expect(reusable).toBe(true);
    for (let use = 1; use <= 2; use++) expect(await tokens.readPartyPass(pass, 'alice')).toEqual(member);
  });

  it('carries the build and the platform of its member', async () => {
    const client = { build: '1.4', platform: 'xbox', crossPlay: false };
    const { pass } = await tokens.partyPass({ ...member, ...client }, 'alice', Date.now());
    expect(await tokens.readPartyPass(pass, 'alice')).toEqual({ ...member, ...client });
  });

  it('is rejected for another leader, and after its expiry', async () => {
    const { pass } = await tokens.partyPass(member, 'alice', Date.now());
    await expect(tokens.readPartyPass(pass, 'mallory')).rejects.toThrow(PartyPassRefused);
    const old = await tokens.partyPass(member, 'alice', Date.now() - 600_000);
    await expect(tokens.readPartyPass(old.pass, 'alice')).rejects.toThrow(PartyPassRefused);
  });
});
