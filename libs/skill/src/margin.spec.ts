import { describe, expect, it } from 'vitest';
import { teamScores, weighedOutcome } from './margin.js';
import type { Contest } from './model.js';
import { modelOf } from './models.js';

const facts = (first: number, second: number): Contest['facts'] => [
  [{ scoredFor: first, scoredAgainst: second }],
  [{ scoredFor: second, scoredAgainst: first }],
];

describe('scores of a match', () => {
  it('are those of the members who saw most, and unknown unless each team has one', () => {
    const teams = [[{}, {}], [{}]];
    expect(teamScores({ teams, facts: [[{ scoredFor: 2 }, { scoredFor: 5 }], [{ scoredFor: 3 }]] })).toEqual([
      5, 3,
    ]);
    expect(teamScores({ teams, facts: [[{ scoredFor: 2 }, {}], [{}]] })).toBeNull();
    expect(teamScores({ teams, facts: undefined })).toBeNull();
  });

  it('make a narrow win less than a whole one, and change no draw and no win against the score', () => {
    expect(weighedOutcome(1, 1, 10)).toBeCloseTo(1 / (1 + Math.exp(-0.1)), 12);
    expect(weighedOutcome(0, -1, 10)).toBeCloseTo(1 - weighedOutcome(1, 1, 10), 12);
    expect(weighedOutcome(1, 1_000, 10)).toBeCloseTo(1, 12);
    expect(weighedOutcome(1, -3, 10)).toBe(1);
    expect(weighedOutcome(0.5, 3, 10)).toBe(0.5);
  });
});

describe.each([
  'elo',
  'openskill-plackett-luce',
  'openskill-bradley-terry-full',
  'openskill-bradley-terry-part',
])('the margin of %s', (name) => {
  const gain = (margin: number, given: Contest['facts']): number => {
    const model = modelOf(name, { margin });
    const teams = [[model.initial()], [model.initial()]];
    const [[winner = {}] = []] = model.rate({ teams, facts: given }, [1, 2]);
    return model.belief(winner).mu - model.belief(model.initial()).mu;
  };

  it('gives more for a clear win than for a narrow one, where scores are known', () => {
    expect(gain(5, facts(9, 1))).toBeGreaterThan(gain(5, facts(5, 4)));
    expect(gain(5, facts(5, 4))).toBeGreaterThan(0);
    expect(gain(5, undefined)).toBe(gain(0, undefined));
  });

  it('is off by default', () => {
    expect(gain(0, facts(9, 1))).toBe(gain(0, undefined));
  });
});
