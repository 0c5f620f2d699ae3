import { describe, expect, it } from 'vitest';
import { right, tableLines } from './table.js';

describe('tableLines', () => {
  it('is as wide as its content, without trailing blanks', () => {
    expect(
      tableLines(
        ['name', ...right('n'), 'why'],
        [
          ['añ', '10', ''],
          ['b', '9', 'so'],
        ],
      ),
    ).toEqual(['name   n  why', 'añ    10', 'b      9  so']);
    expect(tableLines(['', ''], [['a', 'b']])).toEqual(['a  b']);
    expect(tableLines(['name'], [])).toEqual(['name']);
  });
});
