import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenRow } from './broken-row.js';
import { splitCsvLine } from './csv-line.js';

const written = (field: string): string => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

describe('splitCsvLine', () => {
  it.each([
    ['', ['']],
    ['a', ['a']],
    ['a,b,,c', ['a', 'b', '', 'c']],
    ['a,', ['a', '']],
    [',', ['', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",""', ['say "hi"', '']],
    ['a;b|c, spaces stay ', ['a;b|c', ' spaces stay ']],
  ])('reads %j', (line, fields) => {
    expect(splitCsvLine(line)).toEqual(fields);
  });

  it.each([
    ['a,"b', 'a quoted field does not end on its line'],
    ['"', 'a quoted field does not end on its line'],
    ['"a""', 'a quoted field does not end on its line'],
    ['a,"b"c,d', 'field 2 continues after its closing quote'],
    ['a"b,c', 'a quote is inside an unquoted field'],
  ])('refuses %j', (line, reason) => {
    expect(() => splitCsvLine(line)).toThrow(new BrokenRow(reason));
  });

  it('reads back all written fields', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', ';', '|', 'é', "'") });
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 8 }), (fields) => {
        expect(splitCsvLine(fields.map(written).join(','))).toEqual(fields);
      }),
    );
  });

  it('parses or rejects every line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"') }), (line) => {
        try {
          expect(splitCsvLine(line).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenRow);
        }
      }),
    );
  });
});
