import { describe, expect, it } from 'vitest';
import { readMatches, type RecordedMatch } from './match-file.js';
import { situationsOf } from './situations.js';

interface Row {
  readonly teams?: string;
  readonly ranks?: string;
  readonly context?: string;
}

function matchesOf(rows: readonly Row[]): readonly RecordedMatch[] {
  const lines = rows.map(
    ({ teams = 'a;b', ranks = '1;2', context = '' }, i) => `m${i},2024-01-01,${teams},${ranks},${context}`,
  );
  return readMatches(['match_id,time,teams,ranks,context', ...lines].join('\n'), 'p').matches;
}

const on = { situations: true };
const rowsOf = (count: number, row: (i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => row(i));
const even = (i: number): string => (i % 2 === 0 ? '1;2' : '2;1');

describe('situationsOf', () => {
  it('uses the order of two teams as sides, and a recurring label as the venue', () => {
    const matches = matchesOf(
      rowsOf(12, (i) => ({ ranks: even(i), context: `${i < 6 ? 'Oval' : 'Park'}:${i}-0` })),
    );
    const { circumstances, of, words } = situationsOf(matches, on);
    expect(circumstances).toEqual(['side', 'venue']);
    expect(matches[0] && of(matches[0])).toEqual({ sides: ['first', 'second'], venue: 'Oval' });
    expect(words).toBe(
      'side (first, second, by the order of the teams) and venue (2 of them, 6 matches each on average).',
    );
  });

  it('names the sides as given', () => {
    const matches = matchesOf([{}]);
    const { of } = situationsOf(matches, { ...on, sides: ['home', 'away'] });
    expect(matches[0] && of(matches[0])?.sides).toEqual(['home', 'away']);
  });

  it.each([
    [
      'a label that rarely recurs',
      rowsOf(12, (i) => ({ ranks: even(i), context: `Town ${i % 3}` })),
      'different',
    ],
    [
      'one label only',
      rowsOf(12, (i) => ({ ranks: even(i), context: 'Slayer:1-2' })),
      'the same label everywhere',
    ],
    ['no label', rowsOf(12, (i) => ({ ranks: even(i) })), 'names none'],
    // It would reveal the outcome.
    ['a score', rowsOf(12, (i) => ({ ranks: even(i), context: i % 2 === 0 ? '3-1' : '1-3' })), 'names none'],
  ])('uses no venue with %s', (what, rows, why) => {
    const { circumstances, words } = situationsOf(matchesOf(rows), on);
    // Four of each; five are required.
    expect(what === '' ? [] : circumstances).toEqual(['side']);
    expect(words).toContain(why);
  });

  it.each(['1;2', '2;1'])('uses no sides if the order reveals the outcome (%s)', (ranks) => {
    const matches = matchesOf(rowsOf(30, () => ({ ranks, context: 'Oval' })));
    const { circumstances, of, words } = situationsOf(matches, on);
    expect(circumstances).toEqual([]);
    expect(matches[0] && of(matches[0])).toBeUndefined();
    expect(words).toContain('the order reveals the outcome');
    expect(situationsOf(matches, { ...on, sides: ['home', 'away'] }).circumstances).toEqual(['side']);
  });

  it('uses none for matches of more teams, and none if disabled', () => {
    const race = matchesOf([{ teams: 'a;b;c', ranks: '1;2;3' }]);
    expect(situationsOf(race, on)).toMatchObject({
      circumstances: [],
      words: 'none; no match has two teams.',
    });
    expect(situationsOf(matchesOf([{}]), { situations: false }).circumstances).toEqual([]);
    const mixed = matchesOf([{}, { teams: 'a;b;c', ranks: '1;2;3' }]);
    expect(mixed.map((match) => situationsOf(mixed, on).of(match) !== undefined)).toEqual([true, false]);
  });
});
