import { createServer } from 'node:net';

/** Binds `port` on the loopback for a moment; 0 selects a free port. Null if it is taken or not allowed. */
function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = address !== null && typeof address === 'object' ? address.port : null;
      server.close(() => resolve(bound));
    });
  });
}

/**
 * A TCP port that is free on 127.0.0.1 now. Another program may take it before it is used, so its user must report a
 * failure clearly.
 *
 * @param preferred returned if it is free
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && preferred !== 0) {
    const port = await tryPort(preferred);
    if (port !== null) return port;
  }
  const port = await tryPort(0);
  if (port === null)
    throw new Error('No free TCP port on 127.0.0.1: close some programs or raise the port range.');
  return port;
}
