import { z } from 'zod';

/** Milliseconds since the Unix epoch. */
export const EpochMs = z.number().int().min(0).max(8_640_000_000_000_000);
/**
 * When a match was played, in milliseconds since the Unix epoch. Recorded matches may be older than that, so it may be
 * negative; every store and every client can represent the years 1 to 9999.
 */
export const PlayedMs = z.number().int().min(-62_135_596_800_000).max(253_402_300_799_999);
/** A time in a query: milliseconds since the epoch, or ISO 8601. */
export const Moment = z.union(
  [
    PlayedMs,
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number)
      .pipe(PlayedMs),
    z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  ],
  {
    error:
      'must be a time in milliseconds since the Unix epoch, or by ISO 8601 with its offset, such as 2026-11-22T00:00:00Z',
  },
);
/** The issue of a range that ends before it begins. */
export const inOrder = { error: '`from` must be before `to`', path: ['from'] };
export function isRange({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean {
  return from === undefined || to === undefined || from < to;
}
