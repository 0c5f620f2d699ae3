import { describe, expect, it } from 'vitest';
import { DisplayName } from './display-name.js';

describe('a display name', () => {
  it.each([
    'Ann',
    'Zoë 🐉',
    'e\u0301',
    'نام',
    'שלום',
    'כְּרֻוב',
    'ที่นี่',
    '李',
    '김',
    '7',
    '?!',
    '👩🏽‍❤️‍💋‍👨',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'می‌خواهم',
    `a${'\u0301'.repeat(4)}`,
    'x'.repeat(64),
  ])('may be %s', (name) => {
    expect(DisplayName.parse(name)).toBe(name);
  });

  it.each([' Ann\t', '\u00A0Ann\u3000', '\u3164Ann\u2800', '\uFEFFAnn\n', `${' '.repeat(64)}Ann`])(
    'is stored without blanks at its ends: %j',
    (name) => {
      expect(DisplayName.parse(name)).toBe('Ann');
    },
  );

  it('with tens of thousands of blanks is refused at once', () => {
    const startedAt = performance.now();
    expect(DisplayName.safeParse(`x${' '.repeat(60_000)}x`).success).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each([
    'A\u061Cnn',
    'Ann\u200E',
    '\u200FAnn',
    '\u202EAnn',
    'A\u2066nn',
    'two\nlines',
    'A\u0000',
    '\uD800',
  ])('has no control characters, and none that turn its direction: %j', (name) => {
    expect(DisplayName.safeParse(name).error?.issues[0]?.message).toMatch(/^must be one line of text/);
  });

  it.each([
    '',
    '  ',
    '\u3164',
    '\u2800',
    '\u115F\u1160',
    '\uFFA0',
    '\uFE0F',
    '\u0301',
    '\u200B\u200D',
    '\u{E0041}',
  ])('has a character that can be seen: %j', (name) => {
    expect(DisplayName.safeParse(name).error?.issues[0]?.message).toBe(
      'must have a character that can be seen',
    );
  });

  it.each([`a${'\u0301'.repeat(63)}`, `a${'\u0301'.repeat(5)}`, `a${'\u0301\u0301\u200D'.repeat(3)}`])(
    'has at most four combining marks in a row: %j',
    (name) => {
      expect(DisplayName.safeParse(name).success).toBe(false);
    },
  );
});
