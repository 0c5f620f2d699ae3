import type { Log } from './logging.js';

/** The minimum interval between log lines of one error, in milliseconds. */
const everyMs = 10_000;

interface ErrorCount {
  count: number;
  /** Errors since the last line. */
  unlogged: number;
  loggedAtMs: number;
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
  ) {}

  /** @param what the failing part, such as `Redis (queue)` */
  report(what: string, error: unknown): void {
    const entry = this.known.get(what) ?? { count: 0, unlogged: 0, loggedAtMs: -Infinity };
    this.known.set(what, entry);
    entry.count++;
    entry.unlogged++;
    const now = this.now();
    if (now - entry.loggedAtMs < everyMs) return;
    this.log.warn({ err: error, what, times: entry.unlogged, inAll: entry.count }, `errors of ${what}`);
    entry.loggedAtMs = now;
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
