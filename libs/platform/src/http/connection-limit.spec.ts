import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { limitConnections, limitPerAddress, mostConnections } from './connection-limit.js';

const limits = (files: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             94175                94175                processes
Max open files            ${files.padEnd(20)} 524288               files
Max locked memory         8388608              8388608              bytes
`;

describe('the number of connections', () => {
  it('leaves files for stores and logs', () => {
    expect(mostConnections(limits('20000'))).toBe(19_488);
    expect(mostConnections(limits('1024'))).toBe(768);
    expect(mostConnections(limits('1'))).toBe(1);
  });

  it('is half where each connection is passed on', () => {
    expect(mostConnections(limits('20000'), 2)).toBe(9_744);
  });

  it('has no limit where files have none, or it is not known', () => {
    expect(mostConnections(limits('unlimited'))).toBeNull();
    expect(mostConnections('')).toBeNull();
    const server = { maxConnections: 7 };
    limitConnections(server);
    expect(server.maxConnections).toBeGreaterThan(7);
  });
});

describe('connections of one address', () => {
  /** The connections that stay open, of so many that are opened. */
  async function opened(most: number, ofAll: number, isCounted: boolean): Promise<number> {
    const server = createServer();
    server.maxConnections = ofAll;
    limitPerAddress(server, most, {
      of: ({ socket }) => (isCounted ? (socket.remoteAddress ?? null) : null),
    });
    server.on('connection', (socket) => socket.on('error', () => undefined));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ended = new Set<Socket>();
    const sockets = Array.from({ length: 6 }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      return socket.once('close', () => void ended.add(socket)).resume();
    });
    const count = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const open = await count();
    expect(sockets.length - ended.size).toBe(open);
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
    return open;
  }

  it('have a limit, and half of all at most, unless they are not counted', async () => {
    expect(await opened(4, 100, true)).toBe(4);
    expect(await opened(4, 6, true)).toBe(3);
    expect(await opened(4, 100, false)).toBe(6);
  });
});
