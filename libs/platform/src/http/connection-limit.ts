import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import type { CallerAddresses } from '../limits/caller-address.js';

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

/**
 * Closes connections of an address beyond its limit as they arrive, and beyond half of all that the process takes: the other
 * half is for everybody else.
 *
 * @param addresses decides which addresses are counted; proxies are not
 */
export function limitPerAddress(
  server: Pick<Server, 'maxConnections' | 'on'>,
  most: number,
  addresses: Pick<CallerAddresses, 'of'>,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = addresses.of({ headers: {}, socket });
    if (address === null) return;
    const held = open.get(address) ?? 0;
    if (held >= Math.min(most, (server.maxConnections || Infinity) / 2)) return void socket.destroy();
    open.set(address, held + 1);
    socket.once('close', () => {
      const others = (open.get(address) ?? 1) - 1;
      if (others === 0) open.delete(address);
      else open.set(address, others);
    });
  });
}
