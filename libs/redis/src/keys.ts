/**
 * The root of all keys of a realm. The braces are a Redis Cluster hash tag: all keys of a realm share one slot, so that
 * scripts are atomic there too.
 */
export function realmRoot(realm: string): string {
  return `muster:{${realm}}`;
}

/** The root of all keys of a realm's jobs. They share the slot of its other keys. */
export function jobsRoot(realm: string): string {
  return `muster-jobs:{${realm}}`;
}
