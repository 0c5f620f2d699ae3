import { timeWords } from '../ui/values/words.js';

/** A row of a table, as the audit log notes it: its `table`, its key, and what changed. */
export type Row = Readonly<Record<string, unknown>>;

/** What became of a row. */
export interface Change {
  /** Such as `changed`, with the name of the table in words. */
  readonly what: string;
  readonly fields: readonly string[];
}

/** What changed, row by row, in words. Rows before and after belong together by their table and their key. */
export function differences(before: readonly Row[] | null, after: readonly Row[] | null): readonly Change[] {
  const left = (after ?? []).map(rowOf);
  const changed = (before ?? []).map(rowOf).map((row): Change => {
    const mate = mateOf(row, left);
    if (!mate) return { what: `${nameOf(row)} deleted`, fields: valuesOf(row) };
    left.splice(left.indexOf(mate), 1);
    return { what: `${nameOf(row)} ${keyOf(row, mate)} changed`, fields: differing(row, mate) };
  });
  const made = left.map((row): Change => {
    const what = row.table === null ? 'Answer' : `${nameOf(row)} created`;
    return { what, fields: valuesOf(row) };
  });
  return [...changed, ...made];
}

interface Noted {
  /** Null: it is the answer of a call. */
  readonly table: string | null;
  readonly fields: ReadonlyMap<string, unknown>;
}

function rowOf({ table, ...fields }: Row): Noted {
  return { table: typeof table === 'string' ? table : null, fields: new Map(Object.entries(fields)) };
}

/** The row that has most in common with another one of its table: what did not change is its key. */
function mateOf(row: Noted, others: readonly Noted[]): Noted | undefined {
  const same = others
    .filter((other) => other.table === row.table)
    .map((other) => ({ other, common: commonOf(row, other).length }))
    .filter(({ common }) => common > 0);
  return same.toSorted((a, b) => b.common - a.common)[0]?.other;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
/** Fields that both have with the same value. */
const commonOf = (a: Noted, b: Noted): (readonly [name: string, value: unknown])[] =>
  [...a.fields].filter(([name, value]) => b.fields.has(name) && isSame(value, b.fields.get(name)));
const keyOf = (a: Noted, b: Noted): string =>
  commonOf(a, b)
    .map(([, value]) => valueWords(value))
    .join(' ');

function differing(before: Noted, after: Noted): string[] {
  const names = new Set([...before.fields.keys(), ...after.fields.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.fields.get(name), after.fields.get(name)];
    return isSame(was, is) ? [] : [`${fieldWords(name)}: ${valueWords(was)} → ${valueWords(is)}`];
  });
}

const valuesOf = ({ fields }: Noted): string[] =>
  [...fields].map(([name, value]) => `${fieldWords(name)}: ${valueWords(value)}`);

const nameOf = ({ table }: Noted): string => sentence(fieldWords(table ?? ''));
const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
/** `drained_by_operator` and `expiresAt` as words. */
const fieldWords = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

/** Documents are in the entry itself. */
const longest = 60;
const short = (words: string): string => (words.length > longest ? `${words.slice(0, longest)}…` : words);

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
function valueWords(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string')
    return isoTime.test(value) ? timeWords(Date.parse(value)) : short(value) || 'empty';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return short(value.join(', ')) || 'empty';
  return short(JSON.stringify(value));
}
