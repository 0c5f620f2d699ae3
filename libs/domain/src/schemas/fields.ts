import { z } from 'zod';

/** zod's report of an invalid value. */
interface InvalidValue {
  readonly input?: unknown;
}

/** A message with the expected and the actual value. @param right such as `a whole number from 2 to 10` */
export function must(right: string): { abort: true; error: (issue: InvalidValue) => string } {
  return {
    // Contradictions between fields are checked only once each is within its range.
    abort: true,
    error: ({ input }) => {
      if (input === undefined) return `is missing; it must be ${right}`;
      // Text in a query in place of a number.
      return Number.isNaN(input) ? `must be ${right}` : `must be ${right}, not ${shown(input)}`;
    },
  };
}

/** A finite number from `least` to `most`. */
export function numberFrom(least: number, most: number, of = 'a number'): z.ZodNumber {
  const message = must(`${of} from ${least} to ${most}`);
  return z.number(message).min(least, message).max(most, message);
}

/** A whole number from `least` to `most`. */
export function wholeFrom(least: number, most: number): z.ZodNumber {
  const message = must(`a whole number from ${least} to ${most}`);
  return z.number(message).int(message).min(least, message).max(most, message);
}

/** A list of `least` to `most` entries. */
export function listOf<T extends z.ZodType>(
  entry: T,
  least: number,
  most: number,
  of: string,
): z.ZodArray<T> {
  const message = must(`a list of ${least} to ${most} ${of}`);
  return z.array(entry, message).min(least, message).max(most, message);
}

/** An object of these fields and no other; for an unknown field, the message suggests the nearest known ones. */
export function fields<S extends z.ZodRawShape>(shape: S, what: string): z.ZodObject<S, z.core.$strict> {
  const right = must(what);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' && 'keys' in issue && Array.isArray(issue.keys)
        ? noField(issue.keys.map(String), Object.keys(shape))
        : right.error(issue),
  });
}

/** The used part of zod's issues. */
export interface Flaw {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
  readonly code?: string;
  /** Unknown fields. */
  readonly keys?: readonly string[];
  /** For a union: the issues of each member. */
  readonly errors?: readonly (readonly Flaw[])[];
  /** The bound that a value is beyond. */
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
}

/**
 * The issues, each with its path. For a union of a name and an object, an object's own issues are reported: that it is no
 * name is useless. Of several bounds that a value is beyond, the nearest to the allowed ones is reported.
 */
export function flawsWithin(flaws: readonly Flaw[]): Flaw[] {
  return strictestOf(flaws).flatMap((flaw) => {
    const [as, ...others] = (flaw.errors ?? []).filter((each) => each.length > 0 && each.every(isWithin));
    if (!as || others.length > 0) return [flaw];
    return flawsWithin(as).map((each) => ({ ...each, path: [...(flaw.path ?? []), ...(each.path ?? [])] }));
  });
}

/**
 * The issues without those about a bound of a value that is beyond a stricter one, too. A caller chooses how many there are, so
 * each is compared with those of its own value only.
 */
function strictestOf(flaws: readonly Flaw[]): Flaw[] {
  const kindOf = ({ code, path }: Flaw): string => `${code} ${path?.join('.')}`;
  const byKind = new Map<string, Flaw[]>();
  for (const flaw of flaws) {
    const kind = kindOf(flaw);
    const known = byKind.get(kind);
    if (known) known.push(flaw);
    else byKind.set(kind, [flaw]);
  }
  return flaws.filter((flaw) => !byKind.get(kindOf(flaw))?.some((other) => isNearer(other, flaw)));
}

/** Whether the bound of an issue is stricter than that of another. */
function isNearer({ maximum = 0, minimum = 0 }: Flaw, other: Flaw): boolean {
  return maximum < (other.maximum ?? 0) || minimum > (other.minimum ?? 0);
}

const isWithin = ({ path = [], code }: Flaw): boolean => path.length > 0 || code === 'unrecognized_keys';

/** How many unknown fields a message names: a caller may send thousands. */
const namedFields = 8;

/** Reports an unknown field, with the nearest known ones. */
export function noField(keys: readonly string[], known: readonly string[]): string {
  const named = keys.slice(0, namedFields);
  const meant = [...new Set(named.flatMap((key) => nearest(key, known) ?? []))];
  const there = meant.length > 0 ? `do you mean ${meant.join(', ')}?` : `there is ${known.join(', ')}`;
  const others = keys.length > named.length ? ` and ${keys.length - named.length} others` : '';
  return `there is no field ${named.map(shown).join(', ')}${others} here; ${there}`;
}

/** A short description of a value. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The known name nearest to `text`; null when none is near. */
function nearest(text: string, names: readonly string[]): string | null {
  if (text.length > 64) return null;
  const [best] = names
    .map((name) => ({ name, edits: editsBetween(text.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name ?? null;
}

/** The edit distance of two texts (Levenshtein, by the table of Wagner and Fischer). */
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
