import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader, textBytes } from './bytes.js';
import { IdTable } from './id-table.js';

describe('reading lines', () => {
  it('gives the lines of a text, however long, in any order', () => {
    const line = fc.oneof(fc.string(), fc.constant('é'.repeat(40_000)), fc.constant('x'.repeat(70_000)));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        (all, end) => {
          const lines = all.map((each) => each.replaceAll(/[\r\n]/g, ' ') || '-');
          const reader = new LineReader(textBytes(lines.join(end)));
          const positions: number[] = [];
          const read: string[] = [];
          for (let at = 0; ;) {
            const found = reader.at(at);
            if (!found) break;
            positions.push(at);
            read.push(found.text);
            at = found.next;
          }
          expect(read).toEqual(lines);
          const back = positions.toReversed().map((at) => reader.at(at)?.text);
          expect(back).toEqual(lines.toReversed());
        },
      ),
    );
  });
});

describe('the table of ids', () => {
  it('finds each id, after it has grown', () => {
    const table = new IdTable();
    const ids = Array.from({ length: 5_000 }, (_, i) => `match-${i}`);
    ids.forEach((id, i) => table.add(id, i));
    ids.forEach((id, i) => expect([...table.candidates(id)]).toEqual([i]));
    expect([...table.candidates('none')]).toEqual([]);
  });
});
