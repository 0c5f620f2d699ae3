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

/** Values of `Connection` that name no header. */
const plainConnection = new Set(['keep-alive', 'close']);

/** The headers that `Connection` names: they are hop-by-hop as well. */
function namedBy(connection: string | undefined): ReadonlySet<string> | null {
  if (connection === undefined || plainConnection.has(connection.toLowerCase())) return null;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

/** The end-to-end headers: without hop-by-hop headers and those that `Connection` names. */
export function passedOn(
  headers: IncomingHttpHeaders,
  alsoNot: ReadonlySet<string> = none,
): Record<string, string | string[]> {
  const named = namedBy(headers.connection);
  return Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string | string[]] =>
        header[1] !== undefined &&
        !hopByHop.has(header[0]) &&
        !alsoNot.has(header[0]) &&
        !named?.has(header[0]),
    ),
  );
}

const none: ReadonlySet<string> = new Set();
