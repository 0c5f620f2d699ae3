/**
 * A child process as its supervisor needs to know it. The same spec serves the first start and every restart:
 * nothing in it is used up, and starting again after `kill -9` is safe.
 */
export interface ManagedProcess {
  /** Short name for log lines. */
  name: string;
  command: string;
  args: string[];
  /** Added to the supervisor's own environment. */
  env?: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** The signal that makes it stop in good order. */
  stopSignal: NodeJS.Signals;
  /** How long it may take for that, in milliseconds; then it is killed. */
  graceMs?: number;
  /** Hears every line of its standard output, beside the log. */
  heard?: (line: string) => void;
  /** Resolves once it answers; rejects with a sentence a person can act on. May be called many times. */
  ready(signal: AbortSignal): Promise<void>;
}
