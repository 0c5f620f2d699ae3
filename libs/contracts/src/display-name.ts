import { z } from 'zod';

/** White space, and letters and symbols that are drawn as nothing: Hangul fillers, the empty braille pattern, a null note. */
const blank = String.raw`\s\u115F\u1160\u3164\uFFA0\u2800\u{1D159}`;
const outerBlanks = new RegExp(`^[${blank}]+|[${blank}]+$`, 'gu');
/** The pattern takes time that grows with the square of a run of blanks, and a server may send one of 60,000. */
const longestTrimmed = 256;
const visible = new RegExp(`(?![${blank}])[\\p{L}\\p{N}\\p{S}\\p{P}]`, 'u');
/** The longest run of combining marks: more of them cover the lines above and below. Invisible characters do not end a run. */
const mostMarks = 4;
const fewMarks = new RegExp(`^(?!.*(?:\\p{M}\\p{Cf}*){${mostMarks + 1}})`, 'u');

/**
 * A player's display name, without blanks at its ends. It identifies nobody: several players may have the same. Characters
 * that turn the direction of text would reorder what stands beside the name.
 */
export const DisplayName = z
  .string()
  .overwrite((text) => (text.length > longestTrimmed ? text : text.replace(outerBlanks, '')))
  .min(1, 'must have a character that can be seen')
  .max(64)
  .regex(
    /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u,
    'must be one line of text without control characters and those that turn its direction',
  )
  .regex(visible, 'must have a character that can be seen')
  .regex(fewMarks, `must have at most ${mostMarks} combining marks in a row`)
  .meta({ description: 'A display name; it identifies nobody. Blanks at its ends are left out.' });

/** The valid names of those told by player; other values unchanged, for the schema to refuse. */
function validNames(told: unknown): unknown {
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return told;
  return Object.fromEntries(Object.entries(told).filter(([, name]) => DisplayName.safeParse(name).success));
}

/** Display names by player, of which invalid ones are left out: one odd name must not cost everybody else a result. */
export function leniently<R extends z.ZodType<unknown, Record<string, string>>>(
  names: R,
): z.ZodPreprocess<R, Record<string, string>> {
  return z.preprocess<unknown, R, Record<string, string>>(validNames, names);
}
