import { describe, expect, it } from 'vitest';
import { readPlayerClaims, readTold } from './player-claims.js';

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

describe('the display name of a login', () => {
  it.each(['Ann', 'Zoë 🐉', 'نام', '李', "<b>O'Neil</b>", 'x'.repeat(64)])('is read: %s', (name) => {
    expect(readTold({ verified: true, name })?.name).toBe(name);
    // It is no claim, so nothing that stores claims stores it.
    expect(readPlayerClaims({ verified: true, name })).toEqual({ verified: true });
  });

  it.each([
    ['two lines', 'two\nlines'],
    ['nothing', ''],
    ['spaces alone', '  '],
    ['invisible characters alone', '\u200B\u200D'],
    ['a turn of direction', 'ann\u202Egpj.exe'],
    ['a mark of direction', 'ann\u200F'],
    ['half a surrogate pair', '\uD800'],
    ['65 characters', 'x'.repeat(65)],
    ['a number', 7],
  ])('is ignored, and the player is not refused, for %s', (_, name) => {
    expect(readTold({ name })).toEqual({ claims: {} });
    expect(readPlayerClaims({ name })).toEqual({});
  });
});
