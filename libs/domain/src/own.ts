/**
 * What a record itself has under a key. A key that callers choose may be `constructor` or `toString`, which `record[key]` finds
 * on the prototype of every object. Sources index a record by a name from outside through this function only; a test of the
 * architecture fails on any other way.
 */
export function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
