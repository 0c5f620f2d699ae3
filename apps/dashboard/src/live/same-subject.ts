/** Whether two keys are of the same thing, such as two pages of a list: what another match answered must not be shown as this one. */
export function isOfSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  const subject = ([name, request]: readonly unknown[]): string =>
    JSON.stringify([name, (request as { params?: unknown } | undefined)?.params]);
  return subject(a) === subject(b);
}
