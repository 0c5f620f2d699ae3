import { TooBusy, TooManyOpen } from '@muster/domain';
import fastify, { type FastifyInstance } from 'fastify';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenCalls } from './open-calls.js';

let app: FastifyInstance | undefined;
const sockets: Socket[] = [];
let wake: () => void = () => undefined;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  wake();
  await app?.close();
});

const openCalls = (
  limits: { readonly perCaller: number; readonly perAddress?: number; readonly perProcess: number },
  now?: () => number,
): OpenCalls =>
  new OpenCalls({ perAddress: 100, ...limits }, { of: ({ socket }) => socket.remoteAddress ?? null }, now);

/** A server whose `GET /caller` waits until it is woken or the caller hangs up. */
async function waiting(calls: OpenCalls): Promise<number> {
  app = fastify({ forceCloseConnections: true });
  const woken = new Promise<void>((resolve) => (wake = resolve));
  app.get<{ Params: { caller: string } }>('/:caller', (request) => {
    const caller = decodeURIComponent(request.params.caller);
    return calls.hold(caller === 'operator' ? null : caller, request, async (left) => {
      const gone = new Promise<void>((resolve) => left.addEventListener('abort', () => resolve()));
      await Promise.race([woken, gone]);
      return { done: true };
    });
  });
  app.setErrorHandler((error: Error, _request, reply) =>
    reply
      .status(error instanceof TooManyOpen ? 429 : error instanceof TooBusy ? 503 : 500)
      .send(error.message),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

function open(port: number, caller: string): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket.on('error', () => undefined));
  socket.write(`GET /${encodeURIComponent(caller)} HTTP/1.1\r\nHost: here\r\n\r\n`);
  return socket;
}

const statusOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (data) => resolve(data.toString().split(' ')[1] ?? '')));

describe('open calls', () => {
  it('are limited per caller', async () => {
    const calls = openCalls({ perCaller: 2, perProcess: 10 });
    const port = await waiting(calls);
    for (let i = 0; i < 2; i++) open(port, 'ann');
    await expect.poll(() => calls.count).toBe(2);
    expect(await statusOf(open(port, 'ann'))).toBe('429');
    open(port, 'bob');
    await expect.poll(() => calls.count).toBe(3);
  });

  it('give way to a newer one of the same caller, the oldest first, unless they are new', async () => {
    let now = 0;
    const calls = openCalls({ perCaller: 2, perProcess: 3 }, () => now);
    const port = await waiting(calls);
    const first = open(port, 'ann');
    await expect.poll(() => calls.count).toBe(1);
    now = 1_000;
    open(port, 'ann');
    open(port, 'bob');
    await expect.poll(() => calls.count).toBe(3);
    now = 4_999;
    expect(await statusOf(open(port, 'ann'))).toBe('429');
    now = 5_000;
    const ended = statusOf(first);
    open(port, 'ann');
    expect(await ended).toBe('200');
    expect(calls.count).toBe(3);
    expect(await statusOf(open(port, 'ann'))).toBe('429');
  });

  it('are limited per process, across callers', async () => {
    const calls = openCalls({ perCaller: 2, perProcess: 3 });
    const port = await waiting(calls);
    for (const caller of ['ann', 'bob', 'operator']) open(port, caller);
    await expect.poll(() => calls.count).toBe(3);
    expect(await statusOf(open(port, 'eve'))).toBe('503');
  });

  it('are limited per address, across players, and not for servers', async () => {
    const calls = openCalls({ perCaller: 2, perAddress: 2, perProcess: 10 });
    const port = await waiting(calls);
    for (const caller of ['player ann', 'player bob', 'server one']) open(port, caller);
    await expect.poll(() => calls.count).toBe(3);
    expect(await statusOf(open(port, 'player eve'))).toBe('429');
    for (const socket of sockets.splice(0, 2)) socket.destroy();
    await expect.poll(() => calls.count).toBe(1);
    open(port, 'player eve');
    await expect.poll(() => calls.count).toBe(2);
  });

  it('are released when their caller hangs up', async () => {
    const calls = openCalls({ perCaller: 1, perProcess: 10 });
    const port = await waiting(calls);
    const first = open(port, 'ann');
    await expect.poll(() => calls.count).toBe(1);
    first.destroy();
    await expect.poll(() => calls.count).toBe(0);
    open(port, 'ann');
    await expect.poll(() => calls.count).toBe(1);
  });

  it('leave no listener on a reused connection', async () => {
    const calls = openCalls({ perCaller: 1, perProcess: 10 });
    const port = await waiting(calls);
    wake();
    const listeners: number[] = [];
    app?.server.on('request', ({ socket }) => listeners.push(socket.listenerCount('close')));
    const socket = open(port, 'ann');
    await statusOf(socket);
    for (let i = 0; i < 5; i++) {
      socket.write('GET /ann HTTP/1.1\r\nHost: here\r\n\r\n');
      expect(await statusOf(socket)).toBe('200');
    }
    expect(new Set(listeners.slice(1)).size).toBe(1);
  });
});
