import { endpoints } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { readRule, rulesOf, ruleWords, valueWords, writtenRule, type PoolRules } from './rules-of-pool.js';

const rules = {
  model: 'elo',
  aggregation: 'learned',
  shadowMatches: 50,
  season: null,
} as unknown as PoolRules;

describe('the rules of a pool', () => {
  it('are those that can be changed from now on, each described', () => {
    const all = rulesOf(rules);
    const changeable = Object.keys(endpoints.changePool.body.shape).filter((name) => name !== 'model');
    expect(all.map(({ name }) => name)).toEqual(changeable);
    expect(all.filter(({ about }) => about === '')).toEqual([]);
    const byName = new Map(all.map((rule) => [rule.name, rule]));
    expect(byName.get('aggregation')?.choices).toEqual(['mean', 'sum', 'learned']);
    expect(byName.get('serverResults')?.choices).toEqual(['true', 'false']);
    expect(byName.get('shadowMatches')).toMatchObject({ value: 50, choices: null, parts: [] });
    const parts = byName.get('season')?.parts ?? [];
    expect(parts.map(({ name }) => name)).toEqual(['keep', 'uncertainty', 'placementMatches']);
    expect(parts.filter(({ about }) => about === '')).toEqual([]);
    expect(byName.get('divisions')?.parts.map(({ name }) => name)).toEqual(['name', 'from']);
  });

  it.each([
    [null, 'not set'],
    [[], 'none'],
    [{}, 'none'],
    [true, 'yes'],
    [0.5, '0.5'],
    [{ keep: 0.75, placementMatches: 10 }, 'keep 0.75, placementMatches 10'],
    [[{ name: 'Gold', from: 30 }], 'name Gold, from 30'],
  ])('%j reads %s', (value, words) => {
    expect(ruleWords(value)).toBe(words);
  });

  it('tell one that is on without parts from one that has nothing', () => {
    const part = { name: 'uncertainty', about: '' };
    expect(valueWords({ value: {}, parts: [part] })).toBe('on, as by default');
    expect(valueWords({ value: {}, parts: [] })).toBe('none');
    expect(valueWords({ value: [], parts: [part] })).toBe('none');
    expect(valueWords({ value: null, parts: [part] })).toBe('not set');
  });

  it('are read as they are written', () => {
    expect(readRule({ choices: ['mean', 'sum'] }, 'sum')).toBe('sum');
    expect(readRule({ choices: ['true', 'false'] }, 'true')).toBe(true);
    expect(readRule({ choices: null }, writtenRule({ keep: 1 }))).toEqual({ keep: 1 });
    expect(readRule({ choices: null }, writtenRule(undefined))).toBeNull();
    expect(() => readRule({ choices: null }, '{keep}')).toThrow('not JSON');
  });
});
