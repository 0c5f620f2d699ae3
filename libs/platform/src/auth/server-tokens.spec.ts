import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { CoordinatorTokens } from './tokens.js';

describe('a server token', () => {
  it('is verified once in ten minutes, also while more than 10,000 servers send heartbeats', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const tokens = new CoordinatorTokens(JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'own' }));
    const token = tokens.serverToken('server-1', 1);
    const first = tokens.readServerToken(token, 0);
    for (let n = 2; n <= 10_002; n++) tokens.readServerToken(tokens.serverToken(`server-${n}`, 1), 0);
    // The same object: nothing was verified again.
    expect(tokens.readServerToken(token, 599_999)).toBe(first);
    expect(tokens.readServerToken(token, 600_000)).not.toBe(first);
    expect(first).toEqual({ serverId: 'server-1', incarnation: 1 });
  });
});
