import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inkFor } from './ink.js';
import { visible } from './visible.js';

describe('a text for a terminal', () => {
  it.each([
    ['clears no screen', '\u001B[2J\u001B[Hall is well', '\uFFFD[2J\uFFFD[Hall is well'],
    [
      'sets no title and no clipboard',
      '\u001B]0;root\u0007\u009D52;c;eA==\u009C',
      '\uFFFD]0;root\uFFFD\uFFFD52;c;eA==\uFFFD',
    ],
    ['goes not back in its line', 'refused\rready  ', 'refused\uFFFDready  '],
    ['does not hide itself', '\u001B[8msecret\u001B[30m', '\uFFFD[8msecret\uFFFD[30m'],
    ['does not turn its direction', 'a\u202Eb\u2066c', 'a\uFFFDb\uFFFDc'],
    ['keeps lines, columns and letters', 'ünï\t1\n漢字 😀', 'ünï\t1\n漢字 😀'],
  ])('%s', (_title, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('keeps our own styles', () => {
    const ink = inkFor({ isTTY: true }, {});
    const line = `${ink.bold('queue')} ${ink.dim('quiet')}`;
    expect(visible(line)).toBe(line);
  });

  it('has no other control character, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          ['0', '1', '2'].reduce((left, style) => left.replaceAll(`\u001B[${style}m`, ''), visible(text)),
        ).not.toMatch(/(?![\n\t])\p{Cc}/u);
      }),
    );
  });
});
