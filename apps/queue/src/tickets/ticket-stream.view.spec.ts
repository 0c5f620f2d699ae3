import type { TicketEvent, TicketRecord } from '@muster/domain';
import { GaveWay } from '@muster/platform';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TicketStreams, type TicketFeed } from './ticket-stream.view.js';

const reason = 'x'.repeat(4_000);
const event = (seq: number): TicketEvent =>
  ({ ticketId: 't', seq, state: 'waiting', reason, at: 0 }) as never;

/** A ticket with this many events in its log, and a feed that announces more. */
function aTicket(count: number) {
  const log = Array.from({ length: count }, (_, i) => event(i + 1));
  let listener: ((told: TicketEvent) => void) | null = null;
  let gap: () => void = () => undefined;
  const feed: TicketFeed = {
    subscribe: (_ticketId, heard) => {
      listener = heard;
      return () => (listener = null);
    },
    onGap: (missed) => {
      gap = missed;
      return () => undefined;
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
    /** Something happens of which the feed says nothing. */
    happenUnheard(): void {
      log.push(event(log.length + 1));
    },
    gap: () => gap(),
    hasReader: () => listener !== null,
  };
}

let responses: ServerResponse[];
let errors: unknown[];
let stop: AbortController;
let close: () => void;
let port: number;
let serve: (streams: TicketStreams, known?: number, offset?: number) => void;
let ended: Promise<void>[];

beforeEach(async () => {
  [responses, errors, ended] = [[], [], []];
  stop = new AbortController();
  let handle: (response: ServerResponse) => void = () => undefined;
  serve = (streams, known = 0, offset = 0) => {
    handle = (raw) => {
      responses.push(raw);
      ended.push(
        streams.stream(
          't',
          null,
          { known, offset },
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
  find = async (): Promise<TicketRecord | null> => ({ seq: log.length }) as never,
): TicketStreams =>
  new TicketStreams(
    { eventsAfter, find },
    feed,
    { event: (told: TicketEvent) => told } as never,
    { of: () => (error) => void errors.push(error) },
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
  it('reads the log once, and again after a gap of the feed only', async () => {
    const ticket = aTicket(2);
    let reads = 0;
    serve(
      streamsOf(ticket, async (_ticketId, after) => {
        reads += 1;
        return ticket.log.slice(after);
      }),
    );
    const socket = reader();
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.resume();
    await vi.waitFor(() => expect(text).toContain('id: 2\n'), 5_000);
    ticket.happen();
    ticket.happen();
    await vi.waitFor(() => expect(text).toContain('id: 4\n'), 5_000);
    // A comment comes after the quiet time in which the log was once read.
    await vi.waitFor(() => expect(text).toContain(': still here'), 10_000);
    expect(reads).toBe(1);

    ticket.happenUnheard();
    ticket.gap();
    await vi.waitFor(() => expect(text).toContain('id: 5\n'), 5_000);
    expect(reads).toBe(2);
    socket.destroy();
    await ended[0];
  }, 30_000);

  it('reads the log when the number of an event shows that one before it was not delivered', async () => {
    const ticket = aTicket(1);
    serve(streamsOf(ticket));
    const socket = reader();
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.resume();
    await vi.waitFor(() => expect(text).toContain('id: 1\n'), 5_000);
    ticket.happenUnheard();
    ticket.happen();
    await vi.waitFor(() => expect(text).toContain('id: 3\n'), 5_000);
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['1', '2', '3']);
    socket.destroy();
    await ended[0];
  });

  it.each([
    ['the ticket', null],
    ['events that the client has', { seq: 1 } as never],
  ])('ends for a new one when the store lost %s', async (_what, found) => {
    const ticket = aTicket(2);
    const log = async (_ticketId: string, after: number) => ticket.log.slice(after);
    serve(streamsOf(ticket, log, async () => found));
    const socket = reader();
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.resume();
    await vi.waitFor(() => expect(text).toContain('id: 2\n'), 5_000);
    ticket.gap();
    await ended[0];
    await vi.waitFor(() => expect(text).toContain('event: come-again'), 5_000);
    socket.destroy();
  });

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

  it('that gave way to a newer one says so, and closes its connection', async () => {
    serve(streamsOf(aTicket(1)));
    const socket = reader();
    const text = textOf(socket);
    socket.resume();
    await vi.waitFor(() => expect(responses).toHaveLength(1), 5_000);
    stop.abort(new GaveWay());
    await ended[0];
    expect(await text).toContain(
      'retry: 30500\nevent: come-again\ndata: {"inMs":30500,"why":"you have opened another stream above your limit",',
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

describe('a long poll', () => {
  const never = new AbortController().signal;
  const waiting = (ticket: ReturnType<typeof aTicket>, ms: number, signal = never): Promise<void> =>
    streamsOf(ticket).waitForEventAfter('t', 2, ms, signal);

  it('returns when the store lost the ticket', async () => {
    const ticket = aTicket(2);
    const log = async () => [];
    const poll = streamsOf(ticket, log, async () => null).waitForEventAfter('t', 2, 60_000, never);
    await vi.waitFor(() => expect(ticket.hasReader()).toBe(true));
    ticket.gap();
    await poll;
  });

  it('returns at once when the log has more, else at the next event', async () => {
    const ticket = aTicket(3);
    await waiting(ticket, 60_000);
    const later = aTicket(2);
    const poll = waiting(later, 60_000);
    await vi.waitFor(() => expect(later.hasReader()).toBe(true));
    later.happen();
    await poll;
    expect(later.hasReader()).toBe(false);
  });

  it('reads the log after a gap of the feed', async () => {
    const ticket = aTicket(2);
    const poll = waiting(ticket, 60_000);
    await vi.waitFor(() => expect(ticket.hasReader()).toBe(true));
    ticket.happenUnheard();
    ticket.gap();
    await poll;
  });

  it('returns when the time is over or the caller leaves', async () => {
    const ticket = aTicket(2);
    await waiting(ticket, 20);
    expect(ticket.hasReader()).toBe(false);
    const leaves = new AbortController();
    const poll = waiting(ticket, 60_000, leaves.signal);
    leaves.abort();
    await poll;
    expect(ticket.hasReader()).toBe(false);
  });

  it('returns though its timer fires a fraction of a millisecond early', async () => {
    const ticket = aTicket(2);
    for (let i = 0; i < 300; i++) await waiting(ticket, 1 + (i % 4));
    expect(ticket.hasReader()).toBe(false);
  });
});
