import { wholeFrom } from '@muster/domain/schemas';
import { z } from 'zod';

/** The type of a number that a URL contains as text. */
export type NumberInUrl = z.ZodPreprocess<z.ZodNumber>;

const digits = /^\d+$/;
const decimal = /^\d+(\.\d+)?$/;

/** Other notations of JavaScript (`0x10`, `1e2`, spaces, an empty text for 0) stay text, and are refused as such. */
const readAs =
  (notation: RegExp) =>
  (value: unknown): unknown =>
    typeof value === 'string' && notation.test(value) ? Number(value) : value;

/** A whole number from `least` to `most`, not negative, in a query or a path: decimal digits only. */
export function wholeInUrl(least: number, most: number): NumberInUrl {
  return z.preprocess(readAs(digits), wholeFrom(least, most));
}

/** A number, not negative, in a query: decimal digits, with at most a point between them. */
export function numberInUrl(inRange: z.ZodNumber): NumberInUrl {
  return z.preprocess(readAs(decimal), inRange);
}
