import { describe, expect, it } from 'vitest';
import { integrityRules } from './integrity-option.js';

describe('the option --integrity', () => {
  it.each([
    ['none', 'none'],
    ['watch', {}],
    ['uncertainty=0.5', { uncertainty: 0.5 }],
    ['uncertainty=0.5, every=30', { uncertainty: 0.5, everyDays: 30 }],
  ])('%j is %j', (text, rules) => {
    expect(integrityRules(text)).toEqual(rules);
  });

  it.each(['', 'every=30', 'uncertainty=much', 'uncertainty=0.5, often=1', 'watch, every=1'])(
    '%j is refused',
    (text) => {
      expect(() => integrityRules(text)).toThrow('Give');
    },
  );
});
