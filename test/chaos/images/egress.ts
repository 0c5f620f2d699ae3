import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';

// Builds run in a network namespace without a way out. They reach the npm registry through an HTTP proxy: a port inside,
// which a Unix socket joins to this process outside.

function join(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  a.on('error', () => b.destroy()).on('close', () => b.destroy());
  b.on('error', () => a.destroy()).on('close', () => a.destroy());
}

/** Outside: a proxy on a Unix socket. @param upstream the proxy of this machine, if it needs one */
export function proxyOutside(path: string, upstream: string | undefined): Promise<Server> {
  const server = upstream ? passOn(new URL(upstream)) : ownProxy();
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

function passOn(upstream: URL): Server {
  const port = Number(upstream.port) || 80;
  return createServer((socket) => join(socket, connect(port, upstream.hostname)));
}

function ownProxy(): Server {
  const server = createHttpServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!URL.canParse(url)) return void outgoing.writeHead(400).end();
    const forwarded = request(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  server.on('connect', (incoming, socket: Socket, head: Buffer) => {
    const { hostname, port } = new URL(`http://${incoming.url ?? ''}`);
    const far = connect(Number(port) || 443, hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
      join(far, socket);
    });
    far.once('error', () => socket.destroy());
    socket.once('error', () => far.destroy());
  });
  return server;
}

/** Inside: a port of this namespace's loopback that leads to the socket. */
export function proxyInside(port: number, path: string): Promise<Server> {
  const server = createServer((socket) => join(socket, connect(path)));
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
