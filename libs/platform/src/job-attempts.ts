import { RpcUnavailable } from './rpc.js';
import { toProblem } from './problem-filter.js';

/** A job whose payload this version does not understand: a newer one may. */
export class UnknownJob extends Error {
  override readonly name = 'UnknownJob';
}

/** How often a job is tried before it goes to the dead letters. */
export interface Attempts {
  /** Of one that fails by itself. */
  readonly failed: number;
  /** Of one that nobody understands: for an hour, so that a rolling upgrade brings a replica that does. */
  readonly unknown: number;
  /** Of one that meets a store or service that is away: for more than a day. */
  readonly away: number;
}

/** Twelve minutes of a job that fails, an hour of one that nobody understands, a day of one that waits for a store. */
export const usualAttempts: Attempts = { failed: 20, unknown: 66, away: 20_000 };

/**
 * What becomes of a job that threw: it is tried `again`, which counts as an attempt; it `waits` for what is away, which does
 * not; or it is `dead`.
 */
export type JobFate = 'again' | 'waits' | 'dead';

/**
 * @param made attempts that failed or were not understood, this one included
 * @param started times that it was begun at all, this one included
 */
export function fateOf(error: unknown, made: number, started: number, attempts: Attempts): JobFate {
  if (isAway(error)) return started >= attempts.away ? 'dead' : 'waits';
  return made >= (error instanceof UnknownJob ? attempts.unknown : attempts.failed) ? 'dead' : 'again';
}

/** Pause before a job is tried again, in milliseconds: quick at first. */
export function pauseOf(error: unknown, attempt: number): number {
  if (error instanceof UnknownJob) return Math.min(60_000, 1_000 * 2 ** Math.min(6, attempt - 1));
  return Math.min(isAway(error) ? 5_000 : 60_000, 100 * 2 ** Math.min(10, attempt - 1));
}

/** Whether a store or another service is away: nothing is wrong with the job. */
function isAway(error: unknown): boolean {
  return error instanceof RpcUnavailable || toProblem(error).status === 503;
}
