import type { TicketEvent, TicketFeed } from '@muster/domain';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TicketStreams } from './ticket-stream.view.js';

const reason = 'x'.repeat(4_000);
const event = (seq: number): TicketEvent =>
  ({ ticketId: 't', seq, state: 'waiting', reason, at: 0 }) as never;

/** A ticket with this many events in its log, and a feed that announces more. */
function aTicket(count: number) {
  const log = Array.from({ length: count }, (_, i) => event(i + 1));
  let listener: ((told: TicketEvent) => void) | null = null;
  const feed: TicketFeed = {
    subscribe: (_ticketId, heard) => {
      listener = heard;
      return () => (listener = null);
    },
  };
  return {
    log,
    feed,
    happen(): void {
      const told = event(log.length + 1);
      log.push(told);
      listener?.(told);
    },
    hasReader: () => listener !== null,
  };
}

let responses: ServerResponse[];
let errors: unknown[];
let stop: AbortController;
let close: () => void;
let port: number;
let serve: (streams: TicketStreams, after?: number) => void;
let ended: Promise<void>[];

beforeEach(async () => {
  [responses, errors, ended] = [[], [], []];
  stop = new AbortController();
  let handle: (response: ServerResponse) => void = () => undefined;
  serve = (streams, after = 0) => {
    handle = (raw) => {
      responses.push(raw);
      ended.push(
        streams.stream(
          't',
          null,
          after,
          { raw, hijack: () => undefined, getHeaders: () => ({}) } as never,
          stop.signal,
        ),
      );
    };
  };
  const server = createServer((_request, response) => handle(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => close());

const streamsOf = (
  { log, feed }: Pick<ReturnType<typeof aTicket>, 'log' | 'feed'>,
  eventsAfter = async (_ticketId: string, after: number) => log.slice(after),
): TicketStreams =>
  new TicketStreams(
    { eventsAfter },
    feed,
    { event: async (told: TicketEvent) => told } as never,
    (error) => void errors.push(error),
    () => 0.5,
  );

/** A client that sends a request and reads nothing. */
function reader(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  await once(socket, 'close');
  return text;
}

describe('a reader who reads nothing', () => {
  it('is disconnected when too much is unread, and later events are not buffered', async () => {
    const ticket = aTicket(10);
    serve(streamsOf(ticket));
    const socket = reader();
    await vi.waitFor(() => expect(ticket.hasReader()).toBe(true), 5_000);
    // More than sockets hold: the rest would be buffered in memory.
    for (let i = 0; i < 5_000 && ticket.hasReader(); i++) {
      ticket.happen();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [response] = responses;
    // The log is read once the reader reads again: nothing more is buffered.
    expect(response?.writableLength ?? 0).toBeLessThan(512 * 1024);

    const had = textOf(socket);
    socket.resume();
    await ended[0];
    expect((await had).startsWith('HTTP/1.1 200')).toBe(true);
    expect(errors).toEqual([]);
  });

  it('gets the rest in order from the log once it reads again', async () => {
    const ticket = aTicket(10);
    serve(streamsOf(ticket));
    const socket = reader();
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.resume();
    await vi.waitFor(() => expect(text).toContain('id: 10\n'), 5_000);
    ticket.happen();
    await vi.waitFor(() => expect(text).toContain('id: 11\n'), 5_000);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 11 }, (_, i) => i + 1));
    socket.destroy();
    await ended[0];
  });
});

describe('a stream', () => {
  it('ends with the time to reconnect when the process ends', async () => {
    serve(streamsOf(aTicket(1)));
    const socket = reader();
    const text = textOf(socket);
    socket.resume();
    await vi.waitFor(() => expect(responses).toHaveLength(1), 5_000);
    stop.abort();
    await ended[0];
    close();

    expect(await text).toContain(
      'retry: 600\nevent: come-again\ndata: {"inMs":600,"why":"the process ends","whyMessages":[{"code":"stream.process-ends",',
    );
  });

  it('sends the error that ends it, and distinguishes a bug from a store that is down', async () => {
    const broken = new TypeError('a fault of ours');
    serve(streamsOf(aTicket(1), () => Promise.reject(broken)));
    const socket = reader();
    const text = textOf(socket);
    socket.resume();
    await vi.waitFor(() => expect(ended).toHaveLength(1), 5_000);
    await ended[0];
    close();

    expect(errors).toEqual([broken]);
    expect(await text).toContain('event: come-again');
  });
});
