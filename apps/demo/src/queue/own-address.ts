import { networkInterfaces } from 'node:os';

const loopback = '127.0.0.1';

/**
 * The address of this machine that players connect to: the loopback where the coordinator is on this machine, too. A coordinator
 * elsewhere refuses the loopback.
 */
export function ownAddress(coordinator: string): string {
  if (['localhost', loopback, '[::1]'].includes(new URL(coordinator).hostname)) return loopback;
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? loopback;
}
