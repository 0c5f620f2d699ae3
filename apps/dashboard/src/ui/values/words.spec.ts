import { describe, expect, it } from 'vitest';
import { inputOfIso, isoOfInput } from './words.js';

describe('a time in an address', () => {
  it('is the same after a person has seen it', () => {
    expect(isoOfInput(inputOfIso('2026-11-27T06:05:00.000Z'))).toBe('2026-11-27T06:05:00.000Z');
  });

  it('is nothing where it is none', () => {
    expect(inputOfIso('yesterday')).toBe('');
    expect(isoOfInput('')).toBe('');
  });
});
