import { describe, expect, it } from 'vitest';
import { readPlayerClaims } from './player-claims.js';

describe('the claims of a login about a player', () => {
  it('are empty without the claim', () => {
    expect(readPlayerClaims(undefined)).toEqual({});
    expect(readPlayerClaims({})).toEqual({});
  });

  it('are read from the claim', () => {
    const claims = { verified: false, playMinutes: 90.5, accountCreatedAt: 1_700_000_000_000 };
    expect(readPlayerClaims(claims)).toEqual(claims);
    expect(readPlayerClaims({ verified: true })).toEqual({ verified: true });
  });

  it.each([
    ['text', 'verified'],
    ['a number as text', { playMinutes: '90' }],
    ['a time before the epoch', { playMinutes: -1 }],
    ['a date', { accountCreatedAt: '2026-01-01' }],
    ['an unknown field', { isVerified: true }],
    ['a number', 1],
  ])('are rejected for %s', (_, claim) => {
    expect(readPlayerClaims(claim)).toBeNull();
  });
});
