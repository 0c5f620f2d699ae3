import type { IncomingHttpHeaders } from 'node:http';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and those that the next hop writes itself. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The end-to-end headers: without hop-by-hop headers and those that `Connection` names. */
export function passedOn(
  headers: IncomingHttpHeaders,
  alsoNot: readonly string[] = [],
): Record<string, string | string[]> {
  const named = [headers.connection ?? []].flat().flatMap((list) => list.split(','));
  const left = new Set([...hopByHop, ...alsoNot, ...named.map((name) => name.trim().toLowerCase())]);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || left.has(name) ? [] : [[name, value]],
    ),
  );
}
