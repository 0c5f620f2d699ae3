import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader, type Line } from './line-reader.js';

const most = 8;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** All lines of the chunks, and of the rest at their end. */
function linesOf(chunks: readonly Uint8Array[], reader = new LineReader(most)): Line[] {
  const lines: Line[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let line = reader.next(); line !== null; line = reader.next()) lines.push(line);
  }
  const last = reader.last();
  return last === null ? lines : [...lines, last];
}

const text = (said: string): Line => ({ text: said });
const tooLong: Line = { tooLong: true };

describe('bytes become lines', () => {
  it.each<[string, string[], Line[]]>([
    ['LF and CRLF', ['a\nb\r\n\nc\n'], [text('a'), text('b'), text(''), text('c')]],
    ['partial lines', ['PLA', 'Y', 'ER\nx', '\n'], [text('PLAYER'), text('x')]],
    ['a last line without an end', ['a\nb'], [text('a'), text('b')]],
    ['maximum length, with CR', ['12345678\r\n12345678\n'], [text('12345678'), text('12345678')]],
    ['one byte over the maximum', ['123456789\nx\n'], [tooLong, text('x')]],
    ['far over the maximum, in chunks', ['12345678', '90', '1234\n', 'x\n'], [tooLong, text('x')]],
    ['over the maximum, without an end', ['12345678901234', '5678'], [tooLong]],
    ['a character split between chunks', ['\xc3', '\xa9\n'], [text('é')]],
  ])('%s', (_what, chunks, lines) => {
    const raw = chunks.map((chunk) =>
      /[\x80-\xff]/.test(chunk) ? Buffer.from(chunk, 'latin1') : bytes(chunk),
    );
    expect(linesOf(raw)).toEqual(lines);
  });

  it('do not depend on the chunks', () => {
    const letters = fc.constantFrom(10, 10, 13, 65, 66, 0xc3, 0xa9, 0);
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 120 }),
        fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 60 }),
        (all, cuts) => {
          const whole = Uint8Array.from(all);
          const pieces: Uint8Array[] = [];
          let from = 0;
          for (const cut of cuts) {
            if (from >= whole.length) break;
            pieces.push(whole.subarray(from, from + cut));
            from += cut;
          }
          if (from < whole.length) pieces.push(whole.subarray(from));
          expect(linesOf(pieces)).toEqual(whole.length === 0 ? [] : linesOf([whole]));
        },
      ),
    );
  });

  it('buffer only the unfinished line, in a copy', () => {
    const reader = new LineReader(most);
    const chunk = Buffer.alloc(60_000, 'abc\n');
    chunk.write('zzzz', chunk.length - 4);
    reader.push(chunk);
    while (reader.next() !== null);
    expect(reader.bufferedBytes).toBe(4);
    chunk.fill('?');
    expect(reader.last()).toEqual(text('zzzz'));
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (chunks) => {
        const each = new LineReader(most);
        for (const one of chunks) {
          each.push(one);
          while (each.next() !== null);
          expect(each.bufferedBytes).toBeLessThanOrEqual(most + 1);
          expect(each.hasLine).toBe(false);
        }
      }),
    );
  });
});
