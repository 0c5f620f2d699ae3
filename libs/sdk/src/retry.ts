import { mayRepeat, type EndpointName } from '@muster/contracts';
import { MusterProblem } from './problem.js';

/**
 * When a call that failed is made again. Not `p-retry`: version 7, the last for Node 20, computes the delay by itself, so
 * `Retry-After` would need a second wait inside its hooks. At the end of the time it shortens the last wait, where the SDK
 * gives up rather than call sooner than the coordinator asked. It would replace ten lines of `Caller`.
 */

/** How long a caller lets a call go on. */
export interface CallLimits {
  /** Ends the call at once, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** For how long the call is tried again, in milliseconds; 0 for one try. Five minutes unless told. */
  readonly patienceMs?: number;
}

/** Longer than a database takes to fail over. */
export const defaultPatienceMs = 300_000;

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Explanation before anything was sent. */
const notSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Answers that another try may mend, when the call may be repeated. */
const passing = new Set([408, 502, 503, 504]);
/** Answers that say that nothing was done. */
const undone = new Set(['request-timeout', 'too-many-open', 'too-busy']);

/** Whether time alone may mend it: the coordinator is away or busy, rather than saying no. */
export function mayPass(error: unknown): boolean {
  if (error instanceof MusterProblem) return passing.has(error.status) || undone.has(error.code);
  // What is wrong with the call itself, such as a URL that is none, stays wrong.
  return !(error instanceof SyntaxError) && codeOf(error) !== 'ERR_INVALID_URL';
}

/** Whether nobody is there, as far as an error can tell. */
export function isAway(error: unknown): boolean {
  return error instanceof MusterProblem ? mayPass(error) : notSent.has(codeOf(error));
}

/** Whether an error proves that the coordinator did nothing. */
function didNothing(error: unknown): boolean {
  return error instanceof MusterProblem ? undone.has(error.code) : notSent.has(codeOf(error));
}

/** Whether a call that failed may be made once more. */
export function mayTryAgain(
  name: EndpointName,
  carries: { readonly key: boolean; readonly eventId: boolean },
  error: unknown,
): boolean {
  return mayPass(error) && (didNothing(error) || mayRepeat(name, carries));
}

/**
 * How long to wait before the next try: exponential with full jitter, so that many clients do not come back at the same
 * instant, and never shorter than the coordinator asked for.
 *
 * @param attempt 1 after the first try @param random from 0 to 1
 */
export function pauseMs(attempt: number, error: unknown, random: number): number {
  const asked = error instanceof MusterProblem ? (error.retryAfterMs ?? 0) : 0;
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 16));
  // What was asked for is spread as well, or all who were told the same would be back at once.
  return asked + Math.max(firstPauseMs / 2, random * longest);
}

/** Reads `Retry-After`: seconds, or a date. @returns null when there is none that makes sense */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Told again, it would be refused again. */
export function makesNoSense(error: unknown): boolean {
  return error instanceof MusterProblem && [400, 413, 422].includes(error.status);
}

/** The coordinator lost sight of this server, or its signing key was changed: registering anew mends both. */
export function outOfSight(error: unknown): boolean {
  return error instanceof MusterProblem && (error.code === 'server-superseded' || error.status === 401);
}

/** The code of a network error; `fetch` wraps it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
