import { describe, expect, it } from 'vitest';
import { tableLines } from './table.js';

describe('tableLines', () => {
  it('is as wide as its content, without trailing blanks', () => {
    expect(
      tableLines(
        [{ head: 'name' }, { head: 'n', right: true }, { head: 'why' }],
        [
          ['añ', '10', ''],
          ['b', '9', 'so'],
        ],
      ),
    ).toEqual(['name   n  why', 'añ    10', 'b      9  so']);
    expect(tableLines([{ head: '' }, { head: '' }], [['a', 'b']])).toEqual(['a  b']);
    expect(tableLines([{ head: 'name' }], [])).toEqual(['name']);
  });
});
