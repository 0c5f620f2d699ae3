import { MusterProblem } from '@muster/sdk';

/** Limits of the retries of a call that is not answered. */
export interface RetryLimits {
  readonly limitMs: number;
  readonly stop: AbortSignal;
  /** Called once, before the first retry. */
  onRetry(): void;
  now(): number;
}

/** The statuses of a service that restarts. */
const retryableStatuses = [502, 503, 504];

/**
 * Retries a call until it is answered or `forMs` is over. The client's own retries bridge seconds and have the pauses;
 * a restart on a busy machine can take longer.
 *
 * @throws the error of the last attempt
 */
export async function retryUnavailable<T>(
  call: () => Promise<T>,
  { limitMs, stop, onRetry, now }: RetryLimits,
): Promise<T> {
  const start = now();
  for (let waiting = false; ; waiting = true) {
    try {
      return await call();
    } catch (error) {
      if (stop.aborted || !isUnavailable(error) || now() - start >= limitMs) throw error;
      if (!waiting) onRetry();
    }
  }
}

/** Whether the error means that the service is unavailable, not that it refused. */
export function isUnavailable(error: unknown): boolean {
  return !(error instanceof MusterProblem) || retryableStatuses.includes(error.status);
}
