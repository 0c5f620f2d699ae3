import { describe, expect, it } from 'vitest';
import { numberFrom } from '@muster/domain/schemas';
import { z } from 'zod';
import { endpoints, type Endpoint } from './endpoints.js';
import { numberInUrl, wholeInUrl } from './query-numbers.js';

const messageOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;

/** What JavaScript reads as 16, 100, 5, 5, 0 and Infinity. */
const otherNotations = ['0x10', '1e2', ' 5 ', '5.0e0', '', 'Infinity'];

/** Every field of every query and path. */
const fields = Object.entries<Endpoint>(endpoints).flatMap(([call, { query, params }]) =>
  [query, params].flatMap((schema) =>
    schema instanceof z.ZodObject
      ? Object.entries<z.ZodType>(schema.shape).map(([field, type]) => ({ at: `${call} ${field}`, type }))
      : [],
  ),
);

describe('texts in a URL', () => {
  it('are such that every store can hold', () => {
    const lenient = fields.filter(({ type }) => type.safeParse('a\0b').success);
    expect(lenient.map(({ at }) => at)).toEqual([]);
  });
});

describe('numbers in a URL', () => {
  it('are decimal digits', () => {
    const limit = wholeInUrl(1, 500);
    expect([limit.parse('20'), limit.parse('007'), limit.parse(20)]).toEqual([20, 7, 20]);
    for (const text of [...otherNotations, '-1', '1.5', '501'])
      expect(messageOf(limit, text)).toMatch(/^must be a whole number from 1 to 500, not /);
    const wait = numberInUrl(numberFrom(0, 30));
    expect([wait.parse('0.25'), wait.parse('30')]).toEqual([0.25, 30]);
    for (const text of [...otherNotations, '-1', '.5', '31'])
      expect(messageOf(wait, text)).toMatch(/^must be a number from 0 to 30, not /);
  });

  it('are read alike by every call', () => {
    const numeric = fields.filter(({ type }) => typeof type.safeParse('1').data === 'number');
    expect(numeric.length).toBeGreaterThan(20);
    const lenient = numeric.filter(({ type }) =>
      ['0x1', '1e0', ' 1 ', '+1'].some((text) => type.safeParse(text).success),
    );
    expect(lenient.map(({ at }) => at)).toEqual([]);
  });
});
