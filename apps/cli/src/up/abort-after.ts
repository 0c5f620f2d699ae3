/**
 * A signal that aborts after a time, or with another one. Not `AbortSignal.timeout`: Node 20 collects one that only
 * `AbortSignal.any` refers to, and it never fires.
 */
export function abortAfter(ms: number, stop: AbortSignal): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), ms).unref();
  return AbortSignal.any([stop, limit.signal]);
}
