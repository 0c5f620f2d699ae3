import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';

/** Files that are kept for connections to stores and services, and for logs. */
const keptFiles = 512;

/**
 * The number of connections that leave a process files for its own.
 *
 * @param limits the text of /proc/self/limits
 * @param filesEach files of one connection: two if each is passed on to another server
 * @returns null if the number of files is not limited, or not known
 */
export function mostConnections(limits: string, filesEach: 1 | 2 = 1): number | null {
  const [, limit] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  if (limit === undefined) return null;
  const files = Number(limit);
  return Math.max(1, Math.floor((files - Math.min(keptFiles, files / 4)) / filesEach));
}

/**
 * Closes connections beyond the limit of open files as they arrive. Without it, clients take all files, and the process
 * can no longer connect to its stores. Without /proc there is no limit.
 */
export function limitConnections(server: Pick<Server, 'maxConnections'>, filesEach: 1 | 2 = 1): void {
  let limits = '';
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return;
  }
  const most = mostConnections(limits, filesEach);
  if (most !== null) server.maxConnections = most;
}
