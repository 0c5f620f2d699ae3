import { describe, expect, it } from 'vitest';
import { parseRecordedTime } from './recorded-time.js';

describe('parseRecordedTime', () => {
  it.each([
    ['2004-07-13T17:02:13', '2004-07-13T17:02:13.000Z'],
    ['2003-03-28T19:40', '2003-03-28T19:40:00.000Z'],
    ['1950-05-13', '1950-05-13T00:00:00.000Z'],
    ['20100328', '2010-03-28T00:00:00.000Z'],
    ['2010', '2010-01-01T00:00:00.000Z'],
    ['2004-02-29 01:02:03.250', '2004-02-29T01:02:03.250Z'],
    ['2024-01-01T00:30:00Z', '2024-01-01T00:30:00.000Z'],
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(new Date(parseRecordedTime(text) ?? NaN).toISOString()).toBe(iso);
  });

  it.each([
    '',
    'yesterday',
    '20040230',
    '200407',
    '0',
    '13.07.2004',
    '2003-02-29',
    '2004-13-01',
    '2004-07-13T25:00',
    '2004-07-13T17',
    '1089738133',
  ])('rejects %j', (text) => {
    expect(parseRecordedTime(text)).toBeUndefined();
  });
});
