import type { SplitAnswer } from '@muster/solver';
import { describe, expect, it } from 'vitest';
import type { DrawnSplit } from './split-players.js';
import { asJson, asText } from './summary.js';

const options = { min: 2, max: 8, target: 4, teams: 2, bot: 2.5, best: 20, seed: 7, power: 1 };
const solution = {
  teams: [['0', '1'], ['2']],
  bench: [],
  bots: [0, 1],
  sums: [10, 12.5],
  difference: 2.5,
  ratio: 0.8,
};
const answer: SplitAnswer = {
  outcome: 'split',
  solutions: [{ ...solution, ratio: 0.9 }, solution, solution],
  ranked: true,
  chosen: 1,
  certificate: { status: 'proven', value: 0.1, lowerBound: 0.1, gap: 0, reason: 'exhausted', quantum: 0 },
  method: 'meet-in-the-middle',
  because: 'it is small',
  ways: 3,
  operations: 12,
  shift: 0,
};
const drawn: DrawnSplit = {
  teams: [
    {
      players: [
        { weight: 9.5, name: 'Ann' },
        { weight: 0.5, name: 'Bob' },
      ],
      bots: 0,
      sum: 10,
    },
    { players: [{ weight: 10, name: 'Cid' }], bots: 1, sum: 12.5 },
  ],
  ratio: 0.8,
  answer,
};
const told = (over: Partial<SplitAnswer>): string =>
  asText({ ...drawn, answer: { ...answer, ...over } }, options);

describe('asText', () => {
  it('shows the teams with their sums and the proven quality', () => {
    expect(asText(drawn, options)).toBe(`3 players for 2 teams
Map for 2 to 8 players (target 4), so 4 places

Team 1: 2 players, 0 bots
  9.5 Ann
  0.5 Bob
  + 0 * 2.5 = 0
  = 10

Team 2: 1 player, 1 bot
  10 Cid
  + 1 * 2.5 = 2.5
  = 12.5

Ratio 0.8, smallest sum to largest; drawn as number 2 of all 3 that there are (seed 7, power 1).
There are 3 ways to split them by the rules.
Method: meet-in-the-middle, for it is small.
Proven: no split has a ratio above 0.9.
`);
  });

  it.each<[string, Partial<SplitAnswer>, RegExp]>([
    ['the best alone', { solutions: [solution], chosen: 0 }, /largest; this is the best\./],
    ['one way', { ways: 1 }, /There is one way to/],
    ['too many ways to count', { ways: 2 ** 70 }, /There are about 1\.2e\+21 ways/],
    ['raised weights', { shift: 3 }, /raised by 3 for the ratios/],
    [
      'no proof',
      {
        certificate: {
          status: 'bounded',
          value: 0.1,
          lowerBound: 0.05,
          gap: 0.05,
          reason: 'residue',
          quantum: 0,
          stopped: 'deadline',
        },
      },
      /Not proven: none was found with a ratio above 0\.9, and none can be above 0\.95; the time was up\./,
    ],
  ])('shows %s', (_, over, words) => {
    expect(told(over)).toMatch(words);
  });

  it('omits uncounted ways', () => {
    expect(told({ ways: null })).not.toMatch(/ways? to split/);
  });
});

describe('asJson', () => {
  it('is one document with all fields', () => {
    expect(JSON.parse(asJson(drawn, options))).toEqual({
      players: 3,
      places: 4,
      map: { min: 2, max: 8, target: 4 },
      botWeight: 2.5,
      teams: drawn.teams,
      ratio: 0.8,
      draw: { best: 20, seed: 7, power: 1, from: 3, chosen: 1 },
      ranked: true,
      certificate: answer.certificate,
      method: 'meet-in-the-middle',
      because: 'it is small',
      ways: 3,
      operations: 12,
      shift: 0,
    });
  });
});
