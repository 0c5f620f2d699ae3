import { describe, expect, it } from 'vitest';
import { fits } from './packing.js';

describe('seating whole parties', () => {
  it('does not seat three parties of three in two teams of five', () => {
    expect(fits([3, 3, 3], 2, 5)).toBe(false);
    expect(fits([3, 3, 2, 2], 2, 5)).toBe(true);
    expect(fits([4, 4, 2], 2, 5)).toBe(false);
    expect(fits([5, 1, 1, 1, 1, 1], 2, 5)).toBe(true);
    expect(fits([1, 1, 1], 2, 1)).toBe(false);
    // Both threes in one team leave room for two of the four twos.
    expect(fits([3, 3, 2, 2, 2, 2], 2, 7)).toBe(true);
  });
});
