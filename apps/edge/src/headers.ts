import type { IncomingHttpHeaders } from 'node:http';

/** Headers of one connection, not of the message (RFC 9110, 7.6.1), and those that the next hop writes itself. */
const ofTheHop = new Set([
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

/** Headers that go on to the other side: none of the hop's own, and none that `Connection` names. */
export function passedOn(
  headers: IncomingHttpHeaders,
  alsoNot: readonly string[] = [],
): Record<string, string | string[]> {
  const named = [headers.connection ?? []].flat().flatMap((list) => list.split(','));
  const left = new Set([...ofTheHop, ...alsoNot, ...named.map((name) => name.trim().toLowerCase())]);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || left.has(name) ? [] : [[name, value]],
    ),
  );
}
