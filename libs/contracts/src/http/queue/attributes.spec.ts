import { describe, expect, it } from 'vitest';
import { Attributes } from './attributes.js';

const flawOf = (value: unknown): string | undefined =>
  Attributes.safeParse(value).error?.issues.map(({ message }) => message)[0];
const nested = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));

describe('attributes of a ticket', () => {
  it.each([
    {},
    { skin: 'red', level: 12, mods: ['a', null, { on: true }] },
    { constructor: { toString: '★' } },
    nested(4),
    { a: 'x'.repeat(1_024 - 8) },
  ])('may be %j', (value) => {
    expect(Attributes.parse(value)).toEqual(value);
  });

  it.each([
    ['text', 'hello', /record|an object/],
    ['a list', [], /record|an object/],
    ['five levels', nested(5), /at most 4 levels/],
    [
      'very many levels',
      { a: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown },
      /at most 4 levels/,
    ],
    ['1,025 bytes', { a: 'x'.repeat(1_024 - 7) }, /at most 1024 bytes as JSON, and has 1025/],
    ['wide characters beyond the limit', { a: '★'.repeat(400) }, /has 1208/],
    ['NUL', { a: ['\0'] }, /without NUL/],
    ['half a surrogate pair in a key', { ['\ud800']: 1 }, /unpaired surrogates/],
    ['an infinite number', { a: JSON.parse('1e400') as unknown }, /1\.8e308/],
  ])('are refused as %s', (_, value, flaw) => {
    expect(flawOf(value)).toMatch(flaw);
  });
});
