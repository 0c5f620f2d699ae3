import { describe, expect, it } from 'vitest';
import { readPlayerClaims } from './player-claims.js';

describe('R20 what a login says of a player', () => {
  it('is nothing where it says nothing', () => {
    expect(readPlayerClaims(undefined)).toEqual({});
    expect(readPlayerClaims({})).toEqual({});
  });

  it('is what it says', () => {
    const said = { verified: false, playMinutes: 90.5, accountCreatedAt: 1_700_000_000_000 };
    expect(readPlayerClaims(said)).toEqual(said);
    expect(readPlayerClaims({ verified: true })).toEqual({ verified: true });
  });

  it.each([
    ['text', 'verified'],
    ['a number in words', { playMinutes: '90' }],
    ['a time before the beginning', { playMinutes: -1 }],
    ['a date', { accountCreatedAt: '2026-01-01' }],
    ['no such field', { isVerified: true }],
    ['a number', 1],
  ])('is refused when it is %s', (_, claim) => {
    expect(readPlayerClaims(claim)).toBeNull();
  });
});
