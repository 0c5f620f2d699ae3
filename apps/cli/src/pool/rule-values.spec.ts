import { describe, expect, it } from 'vitest';
import { integrityRules, placementRules, resultRules } from './rule-values.js';

describe('the option --integrity', () => {
  it.each([
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

describe('the rules of a placement from stats', () => {
  it('are on, or some of three numbers', () => {
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

describe('--results', () => {
  it('says which score wins and the bounds of stats', () => {
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
