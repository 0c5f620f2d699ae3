/** Copies an array to a longer one. */
export function longer<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
