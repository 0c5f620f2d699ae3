import { own, Unsolvable } from '@muster/domain';
import type { MatchStats } from './table.js';

/** A stat counts if at least this share of the rows have it, in tenths: players of a role may have stats of their own. */
const tenths = 9;
/** Stats that a refusal names. */
const named = 5;

/** A row of a player in a match. */
type Row = MatchStats & { readonly match: string };

/**
 * The rows that have every common stat, with these alone. A stat is common if nine in ten rows have it: with one that only
 * some report, such as the saves of goalkeepers, the rows of all others would be incomplete.
 *
 * @param minMatches fewest matches of the rows that are left
 * @throws Unsolvable when no stat is common, or too few matches are left, with the stats that are missing most
 */
export function withCommonStats<T extends Row>(rows: readonly T[], minMatches: number): T[] {
  const numbers = countsOf(rows, (row) => row.numbers);
  const categories = countsOf(rows, (row) => row.categories ?? {});
  const common = (counts: ReadonlyMap<string, number>): string[] =>
    [...counts].flatMap(([name, count]) => (10 * count >= tenths * rows.length ? [name] : []));
  const [commonNumbers, commonCategories] = [common(numbers), common(categories)];
  const counts = new Map([...numbers, ...categories]);
  if (rows.length > 0 && commonNumbers.length + commonCategories.length === 0)
    throw new Unsolvable(
      `No stat is in ${10 * tenths} % of the ${rows.length.toLocaleString('en')} rows of players; placing by stats needs one that nearly all players have.${missingMost(counts, rows.length)}`,
    );
  const whole = rows.flatMap((row) => {
    const itsNumbers = only(row.numbers, commonNumbers);
    const itsCategories = only(row.categories ?? {}, commonCategories);
    return itsNumbers && itsCategories ? [{ ...row, numbers: itsNumbers, categories: itsCategories }] : [];
  });
  const names = [...commonNumbers, ...commonCategories];
  const matches = new Set(whole.map(({ match }) => match)).size;
  if (matches < minMatches && whole.length < rows.length)
    throw new Unsolvable(
      `${matches.toLocaleString('en')} matches have a player with all of ${names.join(', ')}; placing by stats needs ${minMatches}.${missingMost(
        new Map([...counts].filter(([name]) => names.includes(name))),
        rows.length,
      )}`,
    );
  return whole;
}

function countsOf<T extends Row>(
  rows: readonly T[],
  statsOf: (row: T) => Readonly<Record<string, unknown>>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const name of Object.keys(statsOf(row))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A sentence with the stats that most rows lack, and the one that fewest lack; empty if no row lacks any. */
function missingMost(counts: ReadonlyMap<string, number>, rows: number): string {
  const missing = [...counts].filter(([, count]) => count < rows).toSorted(([, a], [, b]) => a - b);
  if (missing.length === 0) return '';
  const texts = missing.map(([name, count]) => `${name} (in ${shareMissing(count, rows)} % of the rows)`);
  const least = texts.slice(named).at(-1);
  return ` Missing most: ${texts.slice(0, named).join(', ')}${least ? `; least: ${least}` : ''}.`;
}

/** Between 1 and 99: some rows lack it, and some have it. */
function shareMissing(count: number, rows: number): number {
  return Math.min(99, Math.max(1, Math.round(100 * (1 - count / rows))));
}

/** The named values; null if one is missing. */
function only<T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> | null {
  const values: [string, T][] = [];
  for (const name of names) {
    const value = own(record, name);
    if (value === undefined) return null;
    values.push([name, value]);
  }
  return Object.fromEntries(values);
}
