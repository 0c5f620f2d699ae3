import { createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventBounds, LoggedEvent, PostgresEventLog } from './event-log.store.js';
import { EventStreams } from './event-stream.view.js';

/** A log in memory. */
class Log implements Pick<PostgresEventLog, 'after' | 'bounds'> {
  last = 0;
  forgotten = 0;

  bounds(): Promise<EventBounds> {
    return Promise.resolve({ last: this.last, forgotten: this.forgotten });
  }

  after(position: number, types: readonly string[], last: number): ReturnType<PostgresEventLog['after']> {
    if (position < this.forgotten) return Promise.resolve(null);
    const events = Array.from({ length: last - position }, (_, i) => logged(position + i + 1));
    return Promise.resolve({ events: types.length === 0 ? events : [], through: last });
  }
}

const logged = (position: number): LoggedEvent => ({
  position,
  id: `evt_${position}`,
  type: 'match.rated',
  version: 1,
  timestamp: '2027-03-01T18:30:00.000Z',
  data: {},
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client of a stream: what it read, and whether the stream ended. */
async function follow(streams: EventStreams, after: number | undefined, types: string[] = []) {
  const client = { text: '', isOver: false };
  const left = new AbortController();
  const server = createServer((_request, raw: ServerResponse) => {
    const reply = { raw, hijack: () => reply, getHeaders: () => ({}) };
    void streams
      .beginning(after)
      .then((position) => streams.stream(position, types, reply as never, left.signal));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, (response) => {
    response.setEncoding('utf8').on('data', (text: string) => (client.text += text));
    response.on('error', () => undefined).on('close', () => (client.isOver = true));
  });
  await expect.poll(() => client.text).toContain('event: begin');
  return client;
}

const errors = { of: () => () => undefined };

describe('a stream of events', () => {
  it('tells a reader where it is, also when its types are rare and others are not', async () => {
    const log = new Log();
    const streams = new EventStreams(log, errors, 50);
    const client = await follow(streams, undefined, ['server.lost']);
    for (let i = 0; i < 40; i++) {
      log.last += 1;
      await streams.look();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await expect.poll(() => client.text).toContain('id: 40\nevent: position\ndata: {"position":40}');
    expect(client.text).not.toContain('match.rated');
  });

  it('ends when events that the reader has not are deleted, so that it learns of it', async () => {
    const log = new Log();
    const streams = new EventStreams(log, errors);
    const client = await follow(streams, undefined);
    [log.last, log.forgotten] = [10, 5];
    await streams.look();
    await expect.poll(() => client.isOver).toBe(true);
    await expect(streams.beginning(0)).resolves.toBe(5);
    await expect(streams.beginning(4)).rejects.toMatchObject({ code: 'events-forgotten' });
  });

  it('ends when a backup was restored, after which its position is one of the future', async () => {
    const log = new Log();
    log.last = 10;
    const streams = new EventStreams(log, errors);
    const client = await follow(streams, undefined);
    log.last = 7;
    await streams.look();
    await expect.poll(() => client.isOver).toBe(true);
    await expect(streams.beginning(10)).rejects.toMatchObject({ code: 'events-forgotten' });
    await expect(follow(streams, 7)).resolves.toMatchObject({ isOver: false });
  });
});
