import { mayRepeat, notSentCodes, type EndpointName } from '@muster/contracts';
import { MusterProblem } from './problem.js';

/**
 * When a failed call is retried. Not `p-retry`: version 7, the last for Node 20, computes the delay itself, so
 * `Retry-After` would need a second wait inside its hooks. It also shortens the last wait at the end of the time, where
 * the SDK stops instead of calling earlier than the coordinator allows. It would replace ten lines of `Caller`.
 */

/** How long a call may take. */
export interface CallLimits {
  /** Aborts the call immediately, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the call is retried, in milliseconds; 0 for a single attempt. Five minutes by default. */
  readonly patienceMs?: number;
}

/** Longer than a database fail-over. */
export const defaultPatienceMs = 300_000;

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Statuses that a retry may resolve, if the call is idempotent. */
const retryableStatuses = new Set([408, 502, 503, 504]);
/** An operator's decision, which people read: a client that waits in silence would hide it. */
const decisions = new Set(['queue-paused', 'maintenance']);
/** Problems that mean that nothing was done. */
const withoutEffect = new Set([
  'request-timeout',
  'too-many-requests',
  'too-many-open',
  'too-busy',
  'server-id-taken',
  'fleet-full',
]);
/** Problems of one attempt, which may have been carried out: a proxy sent it twice. The next one is signed anew. */
const ofAttempt = new Set(['request-replayed']);

/** Whether the error is transient: the coordinator is unavailable or busy, and did not refuse. */
export function isTransient(error: unknown): boolean {
  if (error instanceof MusterProblem)
    return (
      (retryableStatuses.has(error.status) && !decisions.has(error.code)) ||
      withoutEffect.has(error.code) ||
      ofAttempt.has(error.code)
    );
  // An error of the call itself, such as an invalid URL, is permanent.
  return !(error instanceof SyntaxError) && codeOf(error) !== 'ERR_INVALID_URL';
}

/** Whether the coordinator is unreachable, as far as the error shows. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof MusterProblem ? isTransient(error) : notSentCodes.has(codeOf(error));
}

/** Whether the error proves that the coordinator did nothing. */
function hadNoEffect(error: unknown): boolean {
  return error instanceof MusterProblem ? withoutEffect.has(error.code) : notSentCodes.has(codeOf(error));
}

/** Whether a failed call may be retried. */
export function canRetry(
  name: EndpointName,
  carries: { readonly key: boolean; readonly eventId: boolean },
  error: unknown,
): boolean {
  return isTransient(error) && (hadNoEffect(error) || mayRepeat(name, carries));
}

/**
 * The delay before the next attempt: exponential with full jitter, so that clients do not return at the same instant,
 * and never shorter than `Retry-After`.
 *
 * @param attempt 1 after the first attempt @param random from 0 to 1
 */
export function pauseMs(attempt: number, error: unknown, random: number): number {
  const asked = error instanceof MusterProblem ? (error.retryAfterMs ?? 0) : 0;
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 16));
  // Jitter is added to `Retry-After`, or all clients with the same value would return at once.
  return asked + Math.max(firstPauseMs / 2, random * longest);
}

/** Reads `Retry-After`: seconds or a date. @returns null if absent or malformed */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Whether the request is invalid: a repeat would be refused as well. */
export function isInvalidRequest(error: unknown): boolean {
  return error instanceof MusterProblem && [400, 413, 422].includes(error.status);
}

/** Whether the coordinator no longer knows this server, or its signing key changed; registering again resolves both. */
export function isUnknownServer(error: unknown): boolean {
  return error instanceof MusterProblem && (error.code === 'server-superseded' || error.status === 401);
}

/** Whether the allocation that a server registers with is over or another server has it: it must shut down. */
export function isAllocationOver(error: unknown): error is MusterProblem {
  return error instanceof MusterProblem && ['allocation-over', 'allocation-taken'].includes(error.code);
}

/** The code of a network error; `fetch` wraps it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
