import { expect, it } from 'vitest';
import { isUsable, keyState } from './key-state.js';

it('tells keys that are valid from those that are not', () => {
  expect(keyState({ revokedAt: null, expiresAt: null }, 10)).toBe('valid');
  expect(keyState({ revokedAt: null, expiresAt: 10 }, 10)).toBe('expired');
  expect(keyState({ revokedAt: 5, expiresAt: 10 }, 20)).toBe('revoked');
  expect(isUsable({ revokedAt: null, expiresAt: 11 }, 10)).toBe(true);
});
