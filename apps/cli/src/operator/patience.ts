import { MusterProblem } from '@muster/sdk';

/** How long to wait for somebody who does not answer. */
export interface Patience {
  readonly forMs: number;
  readonly stop: AbortSignal;
  /** Told once, when the waiting begins. */
  onWait(): void;
  now(): number;
}

/** What a restart looks like from outside. */
const passing = [502, 503, 504];

/**
 * Makes a call again until it is answered, for as long as the patience lasts. The client's own retries bridge seconds
 * and do the pausing; a service that starts anew on a busy machine can take longer.
 *
 * @throws what the last try threw
 */
export async function patiently<T>(
  call: () => Promise<T>,
  { forMs, stop, onWait, now }: Patience,
): Promise<T> {
  const start = now();
  for (let waiting = false; ; waiting = true) {
    try {
      return await call();
    } catch (error) {
      if (stop.aborted || !mayPass(error) || now() - start >= forMs) throw error;
      if (!waiting) onWait();
    }
  }
}

/** Whether an error says that nobody is there just now, rather than no. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof MusterProblem) || passing.includes(error.status);
}
