import { describe, expect, it } from 'vitest';
import { boosterRules } from './options.js';

describe('the rules of boosters on the command line', () => {
  it('are matches, a factor and divisions', () => {
    expect(boosterRules('matches=5, factor=1.5, divisions=2')).toEqual({
      matches: 5,
      kFactor: 1.5,
      divisions: 2,
    });
    expect(boosterRules('matches=3')).toEqual({ matches: 3, kFactor: 2, divisions: 1 });
  });

  it.each([
    '',
    'factor=2',
    'matches=0',
    'matches=1.5',
    'matches=5, factor=5',
    'matches=5, factor=0.5',
    'matches=5, divisions=0',
    'matches=5, k=2',
  ])('refuse %j', (text) => {
    expect(() => boosterRules(text)).toThrow(/matches|factor|divisions/);
  });
});
