import { describe, expect, it } from 'vitest';
import { inkFor } from './ink.js';
import { moment } from './moment.js';
import { counted, indented, plain, wrapped } from './table.js';

describe('words', () => {
  it('wraps between words', () => {
    expect(wrapped('one two  three incomprehensibilities', 9)).toEqual([
      'one two',
      'three',
      'incomprehensibilities',
    ]);
    expect(wrapped('')).toEqual([]);
    expect(indented(['a', ''])).toEqual(['  a', '']);
  });

  it('counts and rounds for people', () => {
    expect([counted(1, 'match', 'matches'), counted(1_200, 'match', 'matches')]).toEqual([
      '1 match',
      '1,200 matches',
    ]);
    expect([plain(0.1 + 0.2), plain(25 / 3), plain(1e-12)]).toEqual(['0.3', '8.33333', '1e-12']);
    expect(moment(Date.UTC(1950, 4, 13, 9, 5))).toBe('1950-05-13 09:05');
  });
});

describe('inkFor', () => {
  it('styles text on a terminal only, and not if NO_COLOR is set', () => {
    expect(inkFor({ isTTY: true }, {}).bold('a')).toBe('\u001B[1ma\u001B[0m');
    expect(inkFor({}, {}).bold('a')).toBe('a');
    expect(inkFor({ isTTY: true }, { NO_COLOR: '1' }).dim('a')).toBe('a');
  });
});
