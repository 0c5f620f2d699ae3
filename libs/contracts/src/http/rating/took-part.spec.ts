import { describe, expect, it } from 'vitest';
import { PredictMatch, ReportResult } from './results.js';
import { RoundUpdate } from './rounds.js';

const teams = [
  ['ann', 'ben', 'cat'],
  ['dan', 'eve'],
];
const result = { eventId: 'e1', pool: 'league', teams, ranks: [1, 2] };
const round = { roundId: 'r1', pool: 'arena', teams, winner: 0 };

/** The issues of a body, each with its path. */
const wrong = (
  schema: typeof ReportResult | typeof RoundUpdate | typeof PredictMatch,
  body: object,
): string[] =>
  (schema.safeParse(body).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('who took part in a match', () => {
  it.each([
    [{ parties: [[3], []] }],
    [{ parties: [[2], [2]] }],
    [{ late: ['cat'] }],
    [{ lengthMs: 1_000, times: { cat: [{ fromMs: 500, toMs: 1_000 }] }, late: ['cat'] }],
    [
      {
        lengthMs: 1_000,
        times: {
          ann: [
            { fromMs: 0, toMs: 100 },
            { fromMs: 100, toMs: 200 },
          ],
        },
      },
    ],
  ])('is accepted: %j', (more) => {
    expect(wrong(ReportResult, { ...result, ...more })).toEqual([]);
    expect(wrong(RoundUpdate, { ...round, ...more })).toEqual([]);
  });

  it.each([
    [{ parties: [[4], []] }, /^parties\.0: the parties have 4 members, but team 1 has 3 players$/],
    [{ parties: [[2, 2], []] }, /^parties\.0: the parties have 4 members/],
    [{ parties: [[], [], [2]] }, /^parties: there are 2 teams but parties of 3/],
    [{ parties: [[2]] }, /^parties: there are 2 teams but parties of 1; give a list for each team/],
    [{ late: ['zoe'] }, /^late\.0: zoe is not in the match$/],
    [{ late: ['dan', 'eve'] }, /^late: somebody of team 2 must have been there when it began/],
    [{ lengthMs: 1_000 }, /^lengthMs: goes with `times`/],
    [{ times: { ann: [{ fromMs: 0, toMs: 1 }] } }, /^lengthMs: is missing/],
    [{ lengthMs: 9, times: { zoe: [{ fromMs: 0, toMs: 1 }] } }, /^times\.zoe: zoe is not in the match$/],
    [
      { lengthMs: 9, times: { ann: [{ fromMs: 0, toMs: 10 }] } },
      /^times\.ann\.0: must go from 0 .* to 9 .*; it goes from 0 to 10$/,
    ],
    [{ lengthMs: 9, times: { ann: [{ fromMs: 5, toMs: 5 }] } }, /^times\.ann\.0: .* take time/],
    [
      {
        lengthMs: 9,
        times: {
          ann: [
            { fromMs: 4, toMs: 6 },
            { fromMs: 5, toMs: 7 },
          ],
        },
      },
      /^times\.ann\.1: must go from 6/,
    ],
    [{ lengthMs: 9, times: { ann: [{ fromMs: 0, toMs: 6 }] }, late: ['ann'] }, /^times\.ann: ann came late/],
  ])('is refused when invalid: %j', (more, says) => {
    expect(wrong(ReportResult, { ...result, ...more })).toEqual([expect.stringMatching(says)]);
    expect(wrong(RoundUpdate, { ...round, ...more })).toEqual([expect.stringMatching(says)]);
  });

  it('is not sent twice: as a share and with times', () => {
    const both = { shares: { ann: 0.5 }, lengthMs: 9, times: { ann: [{ fromMs: 0, toMs: 6 }] } };
    expect(wrong(ReportResult, { ...result, ...both })).toEqual([
      expect.stringMatching(/^times\.ann: shares\.ann/),
    ]);
  });

  it('is not said wrongly of a team without players', () => {
    expect(wrong(ReportResult, { ...result, teams: [['ann'], []] })).toEqual([
      expect.stringMatching(/^teams\.1: /),
    ]);
  });
});

describe('the names in a result', () => {
  it('are left out where invalid, and the result counts', () => {
    const names = { ann: ' Ann ', ben: '\u0000', cat: 7, dan: 'x'.repeat(65) };
    expect(ReportResult.parse({ ...result, names }).names).toEqual({ ann: 'Ann' });
  });

  it('are refused when they are none, or of players who are not in the match', () => {
    expect(wrong(ReportResult, { ...result, names: 'Ann' })).toEqual([expect.stringMatching(/^names: /)]);
    expect(wrong(ReportResult, { ...result, names: { zoe: 'Zoe' } })).toEqual([
      'names.zoe: zoe is not in the match',
    ]);
  });
});

describe('the habits in a result', () => {
  const eight = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`kind ${i}`, 'x'.repeat(128)]));

  it('are codes by kind of players who are in the match', () => {
    const habits = { ann: eight, ben: {} };
    expect(ReportResult.parse({ ...result, habits }).habits).toEqual(habits);
  });

  it.each([
    ['of a stranger', { zoe: { device: 'd' } }, 'habits.zoe: zoe is not in the match'],
    ['of too many kinds', { ann: { ...eight, more: 'x' } }, /^habits\.ann: must have at most 8 kinds/],
    ['with an empty code', { ann: { device: '' } }, /^habits\.ann\.device: /],
    ['with a long code', { ann: { device: 'x'.repeat(129) } }, /^habits\.ann\.device: /],
    ['with a code that is no text', { ann: { device: 7 } }, /^habits\.ann\.device: /],
    ['with a long kind', { ann: { ['k'.repeat(65)]: 'x' } }, /^habits\.ann/],
  ])('are refused: %s', (_what, habits, says) => {
    expect(wrong(ReportResult, { ...result, habits })).toEqual([expect.stringMatching(says)]);
  });
});

describe('a prediction is not requested', () => {
  it.each([
    ['the role of a stranger', { roles: { zoe: 'tank' } }, /^roles\.zoe: zoe is not in the match$/],
    [
      'a party without players',
      { parties: [[4], []] },
      /^parties\.0: the parties have 4 members, but team 1 has 3/,
    ],
    [
      'the party of an unknown team',
      { parties: [[], [], [2]] },
      /^parties: there are 2 teams but parties of 3/,
    ],
    [
      'the side of one team alone',
      { sides: ['red', 'blue', 'green'] },
      /^sides: there are 2 teams but 3 sides$/,
    ],
  ])('with %s', (_what, more, says) => {
    expect(wrong(PredictMatch, { teams, ...more })).toEqual([expect.stringMatching(says)]);
    expect(wrong(PredictMatch, { teams, parties: [[3], [2]], sides: ['red', 'blue'] })).toEqual([]);
  });
});
