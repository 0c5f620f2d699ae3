/**
 * The root of all keys of a realm. The braces are a Redis Cluster hash tag: everything of a realm lives in one slot,
 * so that a script is atomic there too.
 */
export function realmRoot(realm: string): string {
  return `muster:{${realm}}`;
}
