/** Adds what is new, in the order in which it came, to a list whose newest is first; an event may come twice. */
export function newestFirst<E extends { readonly id: string }>(
  list: readonly E[],
  fresh: readonly E[],
  most: number,
): readonly E[] {
  const known = new Map<string, E>();
  for (const each of [...fresh.toReversed(), ...list]) if (!known.has(each.id)) known.set(each.id, each);
  return [...known.values()].slice(0, most);
}
