import { errorCodes, Misconfigured, NotReplicated } from '@muster/domain';

/** Unreachable or too slow, by the codes of the operating system and of `@muster/db`. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'ConnectionClosed',
  'DatabaseNotReachable',
]);

/**
 * SQLSTATEs of a database that rejects all work: connection lost (08), disk, memory or connections exhausted (53),
 * starting, stopping or not accepting connections (57P01 to 57P05), statement or lock time-out (57014, 55P03),
 * idle-transaction time-out (25P03), a write to a replica (25006), I/O error (58030).
 */
const unavailable = /^(08...|53...|57P0[1-5]|57014|55P03|25P03|25006|58030)$/;

/**
 * The first word of a Redis error while the server rejects all work: a replica after a fail-over, memory exhausted,
 * loading, disk error, no primary, too few replicas, a busy script. Before Redis 7, an error inside a script is at the
 * end of another sentence.
 */
const refusing =
  /(?:^|: -)(READONLY|OOM|LOADING|MISCONF|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|BUSY|UNBLOCKED)\b/;

/** Errors that clients report only by message, without a code. */
const clientWords =
  /^(?:Command timed out|Socket timeout\.|Command aborted due to connection close|Connection is closed|Stream isn't writeable|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable|timeout exceeded when trying to connect|timeout expired|All sentinels are unreachable|None of startup nodes is available|Failed to refresh slots cache|Cluster isn't ready|Cluster is ended|Too many Cluster redirections)/;

/**
 * SQLSTATEs of a database that turns this user away: authentication (28), privileges (42501); and Node's codes of a
 * certificate that is not trusted.
 */
const turnsAway =
  /^(28...|42501|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_(?:GET|VERIFY)_.*)$/;

function* causes(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) yield at;
}

/** Whether a store is unreachable or rejects all work, so that the same call may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NotReplicated) return true;
  if (errorCodes(error).some((code) => unreachable.has(code) || unavailable.test(code))) return true;
  for (const { name, message } of causes(error)) {
    if (name === 'MaxRetriesPerRequestError' || clientWords.test(message)) return true;
    if (refusing.test(message)) return true;
  }
  return false;
}

/** Whether a store answers and turns this process away, until somebody changes its settings or the store's. */
export function isTurnedAway(error: unknown): boolean {
  if (errorCodes(error).some((code) => turnsAway.test(code))) return true;
  return [...causes(error)].some((each) => each instanceof Misconfigured);
}

/**
 * Whether a transaction lost a conflict at every attempt: the store is available, and the same call may succeed later.
 */
export function isContended(error: unknown): boolean {
  return errorCodes(error).includes('retries-used-up');
}
