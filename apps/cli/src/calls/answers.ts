import { age } from '@muster/command-line/terminal/age';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, indented, plain, type Column as Head } from '@muster/command-line/terminal/table';

/** A column of a table: a field by its name, or a head with what stands under it. */
export type Column<Item> = (keyof Item & string) | readonly [head: string, of: (item: Item) => unknown];

const isTime = (name: string): boolean => /^(at|since|until|from|to)$|[a-z](At|Since|Until)$/.test(name);

/** A field for people: times in UTC, lists with commas, nothing for null. */
export function shown(name: string, value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (value instanceof Date) return moment(value.getTime());
  if (typeof value === 'number') {
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
    .map(([key, each]) => `${key}=${shown(name.endsWith('Ms') ? `${key}Ms` : key, each)}`)
    .join(' ');
}

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
      typeof column === 'string' ? [column, (item: Item): unknown => item[column]] : [column[0], column[1]];
    const values = items.map(of);
    const isNumber =
      values.every((value) => typeof value === 'number') && !isTime(name) && !name.endsWith('Ms');
    const head = typeof column === 'string' ? worded(name) : name;
    return { head: isNumber ? { right: head } : head, texts: values.map((value) => shown(name, value)) };
  });
  const heads: Head[] = cells.map(({ head }) => head);
  return boldTable(
    ink,
    heads,
    items.map((_item, i) => cells.map(({ texts }) => texts[i] ?? '')),
  );
}

/** Fields of an answer that say something to people. */
const said = (value: object): [string, unknown][] =>
  Object.entries(value).filter(
    ([name, each]) =>
      each !== undefined &&
      each !== null &&
      !(Array.isArray(each) && each.length === 0) &&
      !/[mM]essages$/.test(name),
  );

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An answer as lines: a field each, objects below their name, and lists of objects as tables. */
export function factsOf(answer: object, ink: Ink): string[] {
  const fields = said(answer);
  const isShort = ([, value]: readonly [string, unknown]): boolean =>
    Array.isArray(value) ? !value.some(isObject) : !isObject(value);
  const short = fields.filter(isShort);
  const width = Math.max(0, ...short.map(([name]) => worded(name).length));
  const texts = short.map(([name, value]) =>
    `${worded(name).padEnd(width)}  ${value === false ? 'no' : shown(name, value)}`.trimEnd(),
  );
  const long = fields
    .filter((field) => !isShort(field))
    .flatMap(([name, value]) => {
      const lines = Array.isArray(value) ? rowsOf(value.filter(isObject), ink) : factsOf(Object(value), ink);
      return lines.length === 0 ? [] : ['', ink.bold(worded(name)), ...indented(lines)];
    });
  return [...texts, ...(texts.length === 0 && long[0] === '' ? long.slice(1) : long)];
}

/** Objects as a table of all their fields. */
function rowsOf(items: readonly object[], ink: Ink): string[] {
  const texts = items
    .map((item): unknown => Reflect.get(item, 'text'))
    .filter((text) => typeof text === 'string');
  if (texts.length === items.length) return texts;
  const names = [...new Set(items.flatMap((item) => said(item).map(([name]) => name)))];
  return tableOf(
    items,
    names.map(
      (name) => [worded(name), (item: object): unknown => shown(name, Reflect.get(item, name))] as const,
    ),
    ink,
  );
}
