import { notSentCodes } from '@muster/contracts';

/** The code of a network error of the system or of undici. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether an error proves that the request never reached a replica. */
export function wasNotSent(error: unknown): boolean {
  return (
    notSentCodes.has(codeOf(error)) || (error instanceof AggregateError && error.errors.every(wasNotSent))
  );
}
