/**
 * The own property of a record under a key. A key chosen by callers may be `constructor` or `toString`, which `record[key]`
 * finds on the prototype of every object. Sources use only this function to index a record by an external name; an
 * architecture test enforces it.
 */
export function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
