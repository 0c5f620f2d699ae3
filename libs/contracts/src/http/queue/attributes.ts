import { plainText } from '@muster/domain/schemas';
import { z } from 'zod';

/** The most that a document may hold: bytes of its JSON, and levels of objects and lists within one another. */
export const attributeLimits = { bytes: 1_024, levels: 4 } as const;

/** A small document that Muster passes on. It is JSON that Postgres can store. */
export const Attributes = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const flaw = flawOf(value, 1) ?? sizeFlawOf(value);
    if (flaw !== null) context.addIssue({ code: 'custom', message: flaw });
  })
  .meta({ id: 'Attributes' });
export type Attributes = z.infer<typeof Attributes>;

/** @param level from 1 @returns null when there is none. Ends at the first level that is too deep, however many follow */
function flawOf(value: unknown, level: number): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must not hold numbers beyond 1.8e308';
  if (typeof value === 'string')
    return plainText.test(value) ? null : 'must hold text without NUL and unpaired surrogates';
  if (typeof value !== 'object' || value === null) return null;
  if (level > attributeLimits.levels)
    return `must have at most ${attributeLimits.levels} levels of objects and lists`;
  for (const [key, each] of Object.entries(value)) {
    const flaw = flawOf(key, level) ?? flawOf(each, level + 1);
    if (flaw !== null) return flaw;
  }
  return null;
}

function sizeFlawOf(value: object): string | null {
  const { length } = new TextEncoder().encode(JSON.stringify(value));
  const { bytes } = attributeLimits;
  return length <= bytes ? null : `must have at most ${bytes} bytes as JSON, and has ${length}`;
}
