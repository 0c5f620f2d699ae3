import { describe, expect, it } from 'vitest';
import { asSentence } from './sentence.js';

describe('asSentence', () => {
  it('ends with one mark', () => {
    expect(asSentence('court order 12/2027 ')).toBe('court order 12/2027.');
    expect(asSentence('A court asked.')).toBe('A court asked.');
    expect(asSentence('Really?')).toBe('Really?');
  });
});
