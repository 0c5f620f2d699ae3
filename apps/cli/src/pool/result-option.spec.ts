import { describe, expect, it } from 'vitest';
import { resultRules } from './result-option.js';

describe('--results', () => {
  it('says which score wins and the bounds of stats', () => {
    expect(resultRules('default')).toBe('default');
    expect(resultRules('scores=lower')).toEqual({ scores: 'lower-wins', stats: {} });
    expect(resultRules('kills=:200, plusMinus=-100:100')).toEqual({
      scores: 'higher-wins',
      stats: { kills: { max: 200 }, plusMinus: { min: -100, max: 100 } },
    });
  });

  it.each(['', 'scores', 'scores=best', 'kills=5', 'kills=1:2:3', '=1:2', 'kills=a:b'])(
    'refuses "%s"',
    (text) => {
      expect(() => resultRules(text)).toThrow(/\S/);
    },
  );
});
