import { errorCodes } from '@muster/domain';

/** SQLSTATEs of a database that is unavailable or cancels work (08, 53, 57, 58), and the code of a lost connection. */
const unavailable = /^(?:08...|53...|57...|58...|ConnectionClosed)$/;

/**
 * Whether one item of a batch may have caused the error: the database rejected it, or code failed. An unavailable
 * database rejects all alike.
 */
export function mayBeItemsFault(error: unknown): boolean {
  return !errorCodes(error).some((code) => unavailable.test(code));
}
