import { own, Unsolvable } from '@muster/domain';

/** A player's stats in a match. */
export interface MatchStats {
  readonly numbers: Readonly<Record<string, number>>;
  readonly categories?: Readonly<Record<string, string>> | undefined;
}

/** One player in one match of the pool's history. */
export interface RegressionRow extends MatchStats {
  readonly player: string;
  readonly match: string;
  /** The player's rating, in the pool's units: the target. */
  readonly target: number;
}

/** A feature: a number of a match, or whether a category has a value. */
export type Feature =
  | { readonly kind: 'number'; readonly name: string }
  | { readonly kind: 'category'; readonly name: string; readonly value: string }
  /** All values of a category that are too rare for a feature of their own, or that did not occur. */
  | { readonly kind: 'rare'; readonly name: string; readonly but: readonly string[] };

/** From here on a square may overflow. */
export const tooLarge = 1e100;

/**
 * The features of a history: the numbers of its first row, and for each category the values that occur often.
 *
 * @param rare a category's value in fewer rows than this is pooled with the other rare ones
 */
export function featuresOfHistory(rows: readonly RegressionRow[], rare: number): Feature[] {
  const [first] = rows;
  if (!first) return [];
  const numbers = Object.keys(first.numbers).map((name): Feature => ({ kind: 'number', name }));
  const categories = Object.keys(first.categories ?? {}).flatMap((name): Feature[] => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = own(row.categories ?? {}, name);
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const often = [...counts].filter(([, count]) => count >= rare).map(([value]) => value);
    return [
      ...often.map((value): Feature => ({ kind: 'category', name, value })),
      { kind: 'rare', name, but: often },
    ];
  });
  return [...numbers, ...categories];
}

/**
 * A row as numbers, in the order of the features.
 *
 * @param whose names the row in a refusal
 * @throws Unsolvable when a column is missing or is not a number that can be squared
 */
export function valuesOf(stats: MatchStats, features: readonly Feature[], whose: () => string): number[] {
  return features.map((feature) => {
    if (feature.kind === 'number') {
      const value = own(stats.numbers, feature.name);
      if (value === undefined) throw new Unsolvable(`${whose()} has no number "${feature.name}".`);
      if (!(Math.abs(value) < tooLarge))
        throw new Unsolvable(
          `${whose()} has ${value} for "${feature.name}"; that is no number to count with.`,
        );
      return value;
    }
    const value = own(stats.categories ?? {}, feature.name);
    if (typeof value !== 'string') throw new Unsolvable(`${whose()} has no category "${feature.name}".`);
    return Number(feature.kind === 'category' ? value === feature.value : !feature.but.includes(value));
  });
}

/** Means of the columns. @param rows at least one, of one width */
export function averageOf(rows: readonly (readonly number[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0) / rows.length, 0));
}

/** The distribution of a feature over the history. */
export interface Column {
  readonly feature: Feature;
  readonly mean: number;
  readonly deviation: number;
  readonly least: number;
  readonly most: number;
}

/** The columns that vary; a constant one carries no information. */
export function columnsOf(features: readonly Feature[], samples: readonly (readonly number[])[]): Column[] {
  return features.flatMap((feature, i) => {
    const values = samples.map((sample) => sample[i] ?? 0);
    const mean = values.reduce((sum, value) => sum + value / values.length, 0);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
    const least = values.reduce((a, b) => Math.min(a, b), Infinity);
    const highest = values.reduce((a, b) => Math.max(a, b), -Infinity);
    // Rounding makes a constant column vary slightly.
    if (!(deviation > 1e-9 * Math.max(Math.abs(least), Math.abs(highest)))) return [];
    return [{ feature, mean, deviation, least, most: highest }];
  });
}
