import { describe, expect, it } from 'vitest';
import { placementRules } from './placement-option.js';

describe('the rules of a placement from stats', () => {
  it('are on, none, or some of three numbers', () => {
    expect(placementRules('none')).toBe('none');
    expect(placementRules('on')).toEqual({ leastR2: 0.1, minMatches: 200, window: 10 });
    expect(placementRules('least=0.2')).toEqual({ leastR2: 0.2, minMatches: 200, window: 10 });
    expect(placementRules('window=5, matches=300')).toEqual({ leastR2: 0.1, minMatches: 300, window: 5 });
  });

  it.each([
    ['', 'Give some of'],
    ['off', 'Give some of'],
    ['r2=0.3', 'Give some of'],
    ['least=much', 'Give a number'],
  ])('%j is refused', (text, why) => {
    expect(() => placementRules(text)).toThrow(why);
  });
});
