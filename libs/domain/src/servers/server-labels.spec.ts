import { describe, expect, it } from 'vitest';
import { fitsServer, labelsKeyOf, needsOf } from './server-labels.js';

describe('a server fits a match', () => {
  it.each([
    ['that demands nothing', {}, { mode: 'duel', map: 'castle' }, true],
    [
      'whose map and mode it names',
      { maps: ['castle'], modes: ['duel', 'arena'] },
      { mode: 'duel', map: 'castle' },
      true,
    ],
    ['whose map it does not name', { maps: ['mine'] }, { map: 'castle' }, false],
    ['whose mode it does not name', { modes: ['arena'] }, { mode: 'duel' }, false],
    ['without a map, whatever maps it names', { maps: ['mine'] }, { map: null }, true],
    [
      'of which it has each label',
      { hardware: ['fast'], tier: ['a', 'b'] },
      { labels: { hardware: 'fast', tier: 'b' } },
      true,
    ],
    ['of which it has another value', { hardware: ['slow'] }, { labels: { hardware: 'fast' } }, false],
    ['of which it lacks a label', { hardware: ['fast'] }, { labels: { hardware: 'fast', tier: 'b' } }, false],
    ['that demands a name of every object', {}, { labels: { constructor: 'x' } }, false],
  ])('%s', (_, labels, demand, fits) => {
    expect(fitsServer(labels, demand)).toBe(fits);
  });
});

it('what a match needs is said in words, and has one key in any order', () => {
  expect(needsOf({ mode: 'duel', map: 'castle', labels: { hardware: 'fast' } })).toEqual([
    'mode duel',
    'map castle',
    'hardware fast',
  ]);
  expect(needsOf({ mode: null, map: null })).toEqual([]);
  expect(labelsKeyOf({ tier: 'b', hardware: 'fast' })).toBe('hardware=fast,tier=b');
  expect(labelsKeyOf(null)).toBe('');
});
