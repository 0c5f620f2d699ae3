import { isUnavailable } from '../rpc/status-of.js';

/** A job whose payload this version cannot parse; a newer one may. */
export class UnknownJob extends Error {
  override readonly name = 'UnknownJob';
}

/** The number of attempts before a job becomes a dead letter. */
export interface Attempts {
  /** For a job that fails by itself. */
  readonly failed: number;
  /** For a payload that this version cannot parse: an hour, so that a rolling upgrade starts a replica that can. */
  readonly unknown: number;
  /** For an unavailable store or service: more than a day. */
  readonly away: number;
}

/** About twelve minutes for a failing job, an hour for an unknown payload, a day for an unavailable store. */
export const defaultAttempts: Attempts = { failed: 20, unknown: 66, away: 20_000 };

/**
 * What to do with a failed job: `retry`, which counts as an attempt; `wait` for an unavailable store, which does not;
 * or `dead`.
 */
export type RetryDecision = 'retry' | 'wait' | 'dead';

/**
 * @param made attempts that failed or met an unknown payload, this one included
 * @param started all attempts, this one included
 */
export function retryDecision(
  error: unknown,
  made: number,
  started: number,
  attempts: Attempts,
): RetryDecision {
  if (isUnavailable(error)) return started >= attempts.away ? 'dead' : 'wait';
  return made >= (error instanceof UnknownJob ? attempts.unknown : attempts.failed) ? 'dead' : 'retry';
}

/** The pause before the next attempt, in milliseconds: exponential back-off. */
export function backOffMs(error: unknown, attempt: number): number {
  if (error instanceof UnknownJob) return Math.min(60_000, 1_000 * 2 ** Math.min(6, attempt - 1));
  return Math.min(isUnavailable(error) ? 5_000 : 60_000, 100 * 2 ** Math.min(10, attempt - 1));
}
