/** What is counted of a queue, by name; a value by the number of its bucket, as in `waited:12`. */
export type Counts = ReadonlyMap<string, number>;

/**
 * Quantiles differ by at most this part from the exact ones. Buckets grow by (1 + e) / (1 − e), and a value counts as the middle of
 * its bucket ([DDSketch](https://arxiv.org/abs/1908.10693)): counts of any time are merged by addition, without loss.
 */
export const relativeError = 0.1;
/** Of ticket.lua: the upper bound of the first bucket, and by how much buckets grow. */
const [first, growth] = [100, (1 + relativeError) / (1 - relativeError)];

/** Names and numbers, divided by spaces. */
export function readCounts(text: string): Counts {
  const parts = text.split(' ');
  const counts = new Map<string, number>();
  for (let i = 0; i + 1 < parts.length; i += 2) counts.set(parts[i] ?? '', Number(parts[i + 1]));
  return counts;
}

/** What was counted between two times. Where a count is lower than before, Redis began anew. */
export function between(before: Counts, after: Counts): Counts {
  const anew = [...before].some(([name, count]) => (after.get(name) ?? 0) < count);
  return anew
    ? after
    : new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const));
}

/** The values of a name by bucket, in rising order. */
function bucketsOf(counts: Counts, name: string): (readonly [bucket: number, count: number])[] {
  const prefix = `${name}:`;
  return [...counts]
    .flatMap(([key, count]) =>
      key.startsWith(prefix) && count > 0 ? [[Number(key.slice(prefix.length)), count] as const] : [],
    )
    .toSorted(([a], [b]) => a - b);
}

/** The number of values of a name. */
export function totalOf(counts: Counts, name: string): number {
  return bucketsOf(counts, name).reduce((sum, [, count]) => sum + count, 0);
}

/** The median and the 95th percentile, in the unit of the script; null without a value. */
export function quantilesOf(
  counts: Counts,
  name: string,
  unit = 1,
): { readonly p50: number; readonly p95: number } | null {
  const buckets = bucketsOf(counts, name);
  const total = totalOf(counts, name);
  if (total === 0) return null;
  const at = (share: number): number => {
    let seen = 0;
    const found = buckets.find(([, count]) => (seen += count) >= share * total) ?? buckets.at(-1);
    return valueOf(found?.[0] ?? 0) / unit;
  };
  return { p50: at(0.5), p95: at(0.95) };
}

/** The middle of a bucket: as far, relatively, from its lower bound as from its upper one. Three digits are more than it knows. */
function valueOf(bucket: number): number {
  return bucket === 0 ? first : Number(((2 * first * growth ** bucket) / (growth + 1)).toPrecision(3));
}
