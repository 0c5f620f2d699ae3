/**
 * A child process of the supervisor. The same spec is used for the first start and every restart, so it is not
 * consumed, and a restart after `kill -9` is safe.
 */
export interface ManagedProcess {
  /** Short name for log lines. */
  name: string;
  command: string;
  args: string[];
  /** Added to the supervisor's environment. */
  env?: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** The signal for a clean stop. */
  stopSignal: NodeJS.Signals;
  /** The time limit of a clean stop, in milliseconds; then the process is killed. */
  graceMs?: number;
  /** Receives every line of standard output, in addition to the log. */
  onLine?: (line: string) => void;
  /** Resolves once it answers; rejects with a user-facing message. May be called repeatedly. */
  ready(signal: AbortSignal): Promise<void>;
}
