/** Errors before anything was sent: every call can be sent to another replica. */
const notSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code of a network error of the system or of undici. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether an error proves that the request never reached a replica. */
export function wasNotSent(error: unknown): boolean {
  return notSent.has(codeOf(error)) || (error instanceof AggregateError && error.errors.every(wasNotSent));
}
