import { MusterError } from '@muster/domain';
import type { Log } from './logging.js';
import { isStoreUnavailable } from './store-unavailable.js';

/** The minimum interval between log lines of one error, in milliseconds. */
const everyMs = 10_000;

/** The error as a field of a log line; without its stack where the error says all: a refusal of ours, or a store that is away. */
function detailOf(error: unknown): { reason: string } | { err: unknown } {
  const isExpected = error instanceof MusterError || isStoreUnavailable(error);
  return isExpected ? { reason: error instanceof Error ? error.message : String(error) } : { err: error };
}

interface ErrorCount {
  count: number;
  /** Errors since the last line. */
  unlogged: number;
  loggedAtMs: number;
  latest: unknown;
  /** Whether a line will follow at the end of the interval. */
  isDue: boolean;
}

/**
 * Logs repeated errors, such as failed connection attempts: the first immediately, then one line every ten seconds with
 * the count. All are counted.
 */
export class ErrorLog {
  private readonly known = new Map<string, ErrorCount>();

  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
    private readonly later: (act: () => void, ms: number) => void = (act, ms) =>
      void setTimeout(act, ms).unref(),
  ) {}

  /**
   * @param what the failing part, such as `Redis (queue)`
   * @param text the message of the log line
   */
  report(what: string, error: unknown, text = `errors of ${what}`): void {
    const entry = this.known.get(what) ?? none();
    this.known.set(what, entry);
    entry.count++;
    entry.unlogged++;
    entry.latest = error;
    const waitMs = entry.loggedAtMs + everyMs - this.now();
    if (waitMs <= 0) this.write(what, entry, text);
    else if (!entry.isDue) {
      // After a burst no further error may come that would bring the count.
      entry.isDue = true;
      this.later(() => this.write(what, entry, text), waitMs);
    }
  }

  private write(what: string, entry: ErrorCount, text: string): void {
    entry.isDue = false;
    if (entry.unlogged === 0) return;
    this.log.warn({ ...detailOf(entry.latest), what, times: entry.unlogged, inAll: entry.count }, text);
    entry.loggedAtMs = this.now();
    entry.unlogged = 0;
  }

  /** A listener for the errors of one part. */
  of(what: string): (error: unknown) => void {
    return (error) => this.report(what, error);
  }

  /** The number of errors of each part since the start. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.known].map(([what, { count }]) => [what, count]));
  }
}

const none = (): ErrorCount => ({
  count: 0,
  unlogged: 0,
  loggedAtMs: -Infinity,
  latest: undefined,
  isDue: false,
});
