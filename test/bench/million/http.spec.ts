import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answerOf, SocketClient } from './http.js';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serving(server: Server, most?: number): Promise<SocketClient> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new SocketClient((server.address() as AddressInfo).port, most);
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  return client;
}

describe('the client of the load generator', () => {
  it('sends a body and reads the answer, over one connection', async () => {
    const sockets = new Set<unknown>();
    const client = await serving(
      createServer((request, response) => {
        sockets.add(request.socket);
        let body = '';
        request.on('data', (data: Buffer) => (body += data.toString()));
        request.on('end', () => {
          const text = `${request.method} ${request.url} ${request.headers.authorization} ${body}`;
          response.writeHead(201, { 'content-length': Buffer.byteLength(text) }).end(text);
        });
      }),
    );
    const told = await client.call('POST', '/a', 'key', { name: 'ü' });
    expect(told).toEqual({ status: 201, text: 'POST /a Bearer key {"name":"ü"}' });
    await client.call('GET', '/b', 'key');
    expect(sockets.size).toBe(1);
  });

  it('calls again when a kept connection was closed meanwhile', async () => {
    let calls = 0;
    const client = await serving(
      createServer((request, response) => {
        calls += 1;
        if (calls === 2) return void request.socket.destroy();
        response.writeHead(200, { 'content-length': 0 }).end();
      }),
    );
    await client.call('GET', '/', '');
    expect(await client.call('GET', '/', '')).toEqual({ status: 200, text: '' });
    expect(calls).toBe(3);
  });

  it('makes at most so many calls at once', async () => {
    const sockets = new Set<unknown>();
    const held: (() => void)[] = [];
    const client = await serving(
      createServer((request, response) => {
        sockets.add(request.socket);
        held.push(() => response.writeHead(200, { 'content-length': 0 }).end());
        // Both calls that are allowed are open.
        if (held.length === 2) for (const answer of held.splice(0)) answer();
      }),
      2,
    );
    await Promise.all(Array.from({ length: 20 }, () => client.call('GET', '/', '')));
    expect(sockets.size).toBe(2);
  });

  it('fails when a new connection is closed without an answer', async () => {
    const client = await serving(createServer((request) => void request.socket.destroy()));
    await expect(client.call('GET', '/', '')).rejects.toThrow('closed');
  });
});

describe('an answer', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n';

  it('is read once it is complete', () => {
    expect(answerOf(head)).toBeNull();
    expect(answerOf(`${head}\r\nab`)).toBeNull();
    expect(answerOf(`${head}\r\nabcd`)).toEqual({ answer: { status: 200, text: 'abcd' }, isLast: false });
    expect(answerOf(`${head}connection: close\r\n\r\nabcd`)).toMatchObject({ isLast: true });
    expect(answerOf('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({ answer: { status: 204 } });
  });

  it('needs a length', () => {
    expect(() => answerOf('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')).toThrow(
      'without a length',
    );
  });
});
