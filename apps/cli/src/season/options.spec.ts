import { describe, expect, it } from 'vitest';
import { seasonNumber, seasonRules, seasonTime } from './options.js';

describe('the rules of a season', () => {
  it('are three numbers', () => {
    expect(seasonRules('keep=0.75, uncertainty=0.5,placement=10')).toEqual({
      keep: 0.75,
      uncertainty: 0.5,
      placementMatches: 10,
    });
  });

  it.each([
    ['', 'Give the three numbers'],
    ['keep=1', 'Give the three numbers'],
    ['keep=1, uncertainty=0, placement=1, more=2', 'Give the three numbers'],
    ['keep=1.5, uncertainty=0, placement=1', 'shares from 0 to 1'],
    ['keep=1, uncertainty=-1, placement=1', 'shares from 0 to 1'],
    ['keep=1, uncertainty=x, placement=1', 'Give a number'],
    ['keep=1, uncertainty=0, placement=1.5', 'number of matches'],
  ])('%j is refused', (text, why) => {
    expect(() => seasonRules(text)).toThrow(why);
  });
});

describe('the number of a season', () => {
  it('is a whole number', () => {
    expect(seasonNumber(0)('0')).toBe(0);
    for (const text of ['0', '-1', '1.5', 'two', '']) expect(() => seasonNumber(1)(text)).toThrow('from 1');
  });
});

describe('the time of a season', () => {
  it('is of ISO 8601, or in milliseconds', () => {
    for (const text of ['2027-03-01T06:00:00Z', '2027-03-01T06:00:00+02:00', '1803880800000'])
      expect(seasonTime(text)).toBe(text);
    for (const text of ['soon', '2027-03-01', '']) expect(() => seasonTime(text)).toThrow('Give a time');
  });
});
