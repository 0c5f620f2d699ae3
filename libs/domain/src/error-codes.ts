const deepest = 8;

/**
 * The codes that an error and its causes carry, outermost first: a client's own (`ConnectionClosed`) and that of the driver
 * beneath it (`ECONNREFUSED`, a SQLSTATE such as `40001`).
 * Messages are not searched: they quote ids and texts that callers chose.
 */
export function errorCodes(error: unknown): string[] {
  const codes: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    const code: unknown = Reflect.get(value, 'code');
    if (typeof code === 'string') codes.push(code);
    visit(Reflect.get(value, 'cause'), depth + 1);
    // One for each address that was tried.
    const all: unknown = Reflect.get(value, 'errors');
    if (Array.isArray(all)) for (const each of all) visit(each, depth + 1);
  };
  visit(error, 0);
  return codes;
}
