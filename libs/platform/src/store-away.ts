import { errorCodes } from '@muster/domain';

/** Nobody there, or too slow, as the operating system and Prisma say it. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]);

/**
 * SQLSTATEs of a database that takes nothing right now, whatever it is asked: connection lost (08), disk, memory or connections
 * used up (53), starting, stopping or not accepting connections (57P01 to 57P05), a statement or a lock that took too long
 * (57014, 55P03), a transaction that was idle for too long (25P03), a replica that is written to (25006), a file that cannot be
 * read or written (58030).
 */
const unavailable = /^(08...|53...|57P0[1-5]|57014|55P03|25P03|25006|58030)$/;

/**
 * The word that a Redis reply begins with when the server takes nothing right now: a replica after a fail-over, memory used up,
 * data being loaded, a disk that cannot be written, no primary, no replica to confirm, a script that runs for too long.
 * Before Redis 7 an error inside a script stands at the end of a sentence of its own.
 */
const refusing =
  /(?:^|: -)(READONLY|OOM|LOADING|MISCONF|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|BUSY|UNBLOCKED)\b/;

/** What clients say in their message alone: they give these errors no code. */
const clientWords =
  /^(?:Command timed out|Connection is closed|Stream isn't writeable|Connection terminated|timeout exceeded when trying to connect)/;

function* causes(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) yield at;
}

/** Whether a store could not be reached, or takes nothing right now: the same call may succeed in a moment. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (errorCodes(error).some((code) => unreachable.has(code) || unavailable.test(code))) return true;
  for (const { name, message } of causes(error)) {
    if (name === 'MaxRetriesPerRequestError' || clientWords.test(message)) return true;
    if (refusing.test(message)) return true;
  }
  return false;
}

/** Whether a transaction lost to others at every try: the store is there, and the same call may succeed in a moment. */
export function isContended(error: unknown): boolean {
  return errorCodes(error).includes('retries-used-up');
}

/**
 * For ioredis: the server has become a replica, so connect anew, to where the primary is now. The command that met it fails,
 * and its caller hears that the store is away.
 */
export function isDemoted(error: Error): boolean {
  return /(?:^|: -)(READONLY|UNBLOCKED)\b/.test(error.message);
}
