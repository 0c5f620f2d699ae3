import { z } from 'zod';

/** What zod tells of a value that is not as it should be. */
interface Wrong {
  readonly input?: unknown;
}

/** A message that says what would be right and what is there. @param right such as `a whole number from 2 to 10` */
export function must(right: string): { abort: true; error: (issue: Wrong) => string } {
  return {
    // Whether fields contradict one another is asked only once each is within its range.
    abort: true,
    error: ({ input }) => {
      if (input === undefined) return `is missing; it must be ${right}`;
      // What a query has in place of a number.
      return Number.isNaN(input) ? `must be ${right}` : `must be ${right}, not ${shown(input)}`;
    },
  };
}

/** A finite number from `least` to `most`. */
export function numberFrom(least: number, most: number, of = 'a number'): z.ZodNumber {
  const wrong = must(`${of} from ${least} to ${most}`);
  return z.number(wrong).min(least, wrong).max(most, wrong);
}

/** A whole number from `least` to `most`. */
export function wholeFrom(least: number, most: number): z.ZodNumber {
  const wrong = must(`a whole number from ${least} to ${most}`);
  return z.number(wrong).int(wrong).min(least, wrong).max(most, wrong);
}

/** A list of `least` to `most` entries. */
export function listOf<T extends z.ZodType>(
  entry: T,
  least: number,
  most: number,
  of: string,
): z.ZodArray<T> {
  const wrong = must(`a list of ${least} to ${most} ${of}`);
  return z.array(entry, wrong).min(least, wrong).max(most, wrong);
}

/** An object of these fields and no other; of one that it has not, the message says which may be meant. */
export function fields<S extends z.ZodRawShape>(shape: S, what: string): z.ZodObject<S, z.core.$strict> {
  const right = must(what);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' && 'keys' in issue && Array.isArray(issue.keys)
        ? noField(issue.keys.map(String), Object.keys(shape))
        : right.error(issue),
  });
}

/** What zod found wrong, as far as it matters here. */
export interface Flaw {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
  readonly code?: string;
  /** Fields that there are not. */
  readonly keys?: readonly string[];
  /** Of something that may be one or the other: what is wrong with it as each of them. */
  readonly errors?: readonly (readonly Flaw[])[];
}

/**
 * What is wrong, each with its path. Of something that may be a name or an object, and is an object, what is wrong in it: that
 * it is no name helps nobody.
 */
export function flawsWithin(flaws: readonly Flaw[]): Flaw[] {
  return flaws.flatMap((flaw) => {
    const [as, ...others] = (flaw.errors ?? []).filter((each) => each.length > 0 && each.every(isWithin));
    if (!as || others.length > 0) return [flaw];
    return flawsWithin(as).map((each) => ({ ...each, path: [...(flaw.path ?? []), ...(each.path ?? [])] }));
  });
}

const isWithin = ({ path = [], code }: Flaw): boolean => path.length > 0 || code === 'unrecognized_keys';

/** That there is no such field, with those that may be meant. */
export function noField(keys: readonly string[], known: readonly string[]): string {
  const meant = [...new Set(keys.flatMap((key) => nearest(key, known) ?? []))];
  const there = meant.length > 0 ? `do you mean ${meant.join(', ')}?` : `there is ${known.join(', ')}`;
  return `there is no field ${keys.map((key) => `"${key}"`).join(', ')} here; ${there}`;
}

/** A value in words, short. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The name that somebody who wrote `text` most likely meant; null when none is near. */
function nearest(text: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, edits: editsBetween(text.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name ?? null;
}

/** Letters to put in, take out or replace to make one text of the other (Levenshtein, by the table of Wagner and Fischer). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, a] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, b] of [...other].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    row = next;
  }
  return row[other.length] ?? 0;
}
