import { expect, it } from 'vitest';
import { divisionChanges, nextNumber, seasonRuleWords, seasonRulesIn, usualRules } from './season-rules.js';

it('the next season follows the last that began, announced or not', () => {
  expect(nextNumber([])).toBe(1);
  expect(nextNumber([{ number: 0, state: 'ended' }])).toBe(1);
  expect(
    nextNumber([
      { number: 3, state: 'announced' },
      { number: 2, state: 'running' },
      { number: 1, state: 'ended' },
    ]),
  ).toBe(3);
});

it('rules are read from what was filled in', () => {
  expect(seasonRulesIn({ ...usualRules })).toEqual(usualRules);
  expect(seasonRuleWords(usualRules)).toBe('keep 0.75, uncertainty 0.5, placement matches 10');
});

it('divisions are beside each other, the highest first', () => {
  const distribution = (bronze: number, gold: number) => ({
    mean: 25,
    meanUncertainty: 3,
    quantiles: { p5: 1, p25: 2, p50: 3, p75: 4, p95: 5 },
    divisions: [
      { name: 'Bronze', players: bronze },
      { name: 'Gold', players: gold },
    ],
  });
  expect(divisionChanges(distribution(10, 5), distribution(12, 3))).toEqual([
    { name: 'Gold', before: 5, after: 3 },
    { name: 'Bronze', before: 10, after: 12 },
  ]);
});
