import { age } from '@muster/command-line/terminal/age';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, indented, plain } from '@muster/command-line/terminal/table';

/** A column of a table: a field by its name, or a head with what stands under it. */
export type Column<Item> = (keyof Item & string) | readonly [head: string, of: (item: Item) => unknown];

const isTime = (name: string): boolean => /^(at|since|until|from|to)$|[a-z](At|Since|Until)$/.test(name);

/** A field for people: times in UTC, lists with commas, nothing for null. */
export function shown(name: string, value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (value instanceof Date) return moment(value.getTime());
  if (typeof value === 'number') {
    if (/^(position|port)$/.test(name)) return String(value);
    if (isTime(name) && Math.abs(value) > 1e11) return moment(value);
    if (name.endsWith('Ms')) return age(value);
    return Number.isInteger(value) ? value.toLocaleString('en') : plain(value);
  }
  if (Array.isArray(value)) return value.map((each) => shown(name, each)).join(', ');
  if (typeof value !== 'object') return String(value).replaceAll(/\s*\n\s*/g, ' ');
  const { name: its, mu, sigma } = Object.fromEntries(Object.entries(value));
  if (typeof its === 'string') return its;
  if (typeof mu === 'number' && typeof sigma === 'number') return beliefText({ mu, sigma });
  return said(value)
    .map(([key, each]) => `${key}=${told(name.endsWith('Ms') ? `${key}Ms` : key, each)}`)
    .join(' ');
}

/** The same where the name stands beside it. */
const told = (name: string, value: unknown): string => (value === false ? 'no' : shown(name, value));

/** The number of digits suits the units of every model: some range to 3,000, others to 1. */
export function beliefText({ mu, sigma }: { readonly mu: number; readonly sigma: number }): string {
  const digits = Math.abs(mu) >= 200 || sigma >= 20 ? 0 : sigma >= 0.5 ? 2 : 3;
  return `${mu.toFixed(digits)} ± ${sigma.toFixed(digits)}`;
}

/** `slotsInUse` as `slots in use`; ids are called by what they name. */
export function worded(name: string): string {
  const words = name
    .replace(/(?<=.)(Id|Ms)$/, '')
    .replaceAll(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`);
  return isTime(name) ? `${words.replace(/ at$/, '')} (UTC)` : words;
}

/** Items as a table under bold heads; numbers stand to the right. */
export function tableOf<Item extends object>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  ink: Ink,
): string[] {
  const cells = columns.map((column) => {
    const [name, of] =
      typeof column === 'string' ? [column, (item: Item): unknown => item[column]] : [...column];
    const values = items.map(of);
    const isNumber =
      values.every((value) => typeof value === 'number') && !isTime(name) && !name.endsWith('Ms');
    const head = worded(name);
    return { head: isNumber ? { right: head } : head, texts: values.map((value) => shown(name, value)) };
  });
  return boldTable(
    ink,
    cells.map(({ head }) => head),
    items.map((_item, i) => cells.map(({ texts }) => texts[i] ?? '')),
  );
}

/** Fields of an answer that say something to people. */
const said = (value: object): [string, unknown][] =>
  Object.entries(value).filter(
    ([name, each]) =>
      each !== undefined &&
      each !== null &&
      each !== '' &&
      !(Array.isArray(each) && each.length === 0) &&
      !/[mM]essages$/.test(name),
  );

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSentence = (value: unknown): boolean => typeof value === 'string' && /\s.*[.]$/.test(value);

/** An answer as lines: a field each, objects and sentences below their name, and lists of objects as tables. */
export function factsOf(answer: object, ink: Ink, above: object = {}): string[] {
  // Ids of what it is a part of are not repeated.
  const fields = said(answer).filter(
    ([name, value]) => !name.endsWith('Id') || Reflect.get(above, name) !== value,
  );
  const isShort = ([, value]: readonly [string, unknown]): boolean =>
    Array.isArray(value) ? !value.some((each) => isObject(each) || isSentence(each)) : !isObject(value);
  const short = fields.filter(isShort);
  const width = Math.max(0, ...short.map(([name]) => worded(name).length));
  const texts = short.map(([name, value]) => `${worded(name).padEnd(width)}  ${told(name, value)}`.trimEnd());
  const long = fields
    .filter((field) => !isShort(field))
    .flatMap(([name, value]) => {
      const lines = Array.isArray(value) ? rowsOf(value, ink) : factsOf(Object(value), ink, answer);
      return lines.length === 0 ? [] : ['', ink.bold(worded(name)), ...indented(lines)];
    });
  return [...texts, ...(texts.length === 0 && long[0] === '' ? long.slice(1) : long)];
}

/** Texts as lines, or objects as a table of all their fields. */
function rowsOf(given: readonly unknown[], ink: Ink): string[] {
  const items = given.filter(isObject);
  const texts = given
    .map((item): unknown => (isObject(item) ? Reflect.get(item, 'text') : item))
    .filter((text) => typeof text === 'string');
  if (texts.length === given.length) return texts;
  const names = [...new Set(items.flatMap((item) => said(item).map(([name]) => name)))];
  return tableOf(
    items,
    names.map((name) => [name, (item: object): unknown => Reflect.get(item, name)] as const),
    ink,
  );
}
