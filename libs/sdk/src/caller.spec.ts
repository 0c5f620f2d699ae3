import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from './caller.js';
import { OperatorClient } from './operator-client.js';
import { PlayerClient } from './player-client.js';
import { MusterProblem } from './problem.js';

type Answering = (request: IncomingMessage, response: ServerResponse, call: number) => void;

/** A coordinator that can stop and restart on the same port. */
class Coordinator {
  private server: Server | undefined;
  port = 0;
  readonly calls: { method: string; url: string; key: string | undefined; body: string }[] = [];

  constructor(private readonly answering: Answering) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async come(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        this.calls.push({ method, url, key: headers['idempotency-key']?.toString(), body });
        this.answering(request, response, this.calls.length);
      });
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  async leave(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const json = (
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};
const unreachable = {
  type: 'urn:muster:problem:service-unreachable',
  title: 'gone',
  status: 502,
  detail: 'gone',
};

let coordinator: Coordinator;
const startWith = async (answering: Answering): Promise<void> => {
  coordinator = new Coordinator(answering);
  await coordinator.come();
};
const player = (patienceMs?: number): PlayerClient =>
  new PlayerClient({ url: coordinator.url, token: 't', patienceMs });

beforeEach(() => startWith((_request, response) => json(response, 200, { ticketId: 'tkt_1' })));
afterEach(() => coordinator.leave());

describe('a coordinator that is unavailable and returns', () => {
  it('only delays a caller, however many attempts it takes', async () => {
    await coordinator.leave();
    const troubles: unknown[] = [];
    const caller = new Caller(
      coordinator.url,
      () => 't',
      60_000,
      () => 0,
    );
    const answer = caller.call('readTicket', {
      params: { ticketId: 'tkt_1' },
      trouble: (error) => {
        troubles.push(error);
        // More than a fixed limit of eight attempts.
        if (troubles.length === 9) void coordinator.come();
      },
    });
    expect(await answer).toEqual({ ticketId: 'tkt_1' });
    expect(troubles.length).toBeGreaterThanOrEqual(9);
  });

  it('gets a ticket under one idempotency key, whatever failed in between', async () => {
    await coordinator.leave();
    await startWith((request, response, call) => {
      if (call === 1) request.socket.destroy();
      else if (call === 2) json(response, 502, unreachable);
      else json(response, 201, { ticketId: 'tkt_1' });
    });
    const caller = new Caller(coordinator.url, () => 't');
    await caller.call('createTicket', { body: { queue: '1v1', build: 'b', latencyMs: {} } });
    const keys = coordinator.calls.map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('sets a rating under one event id', async () => {
    await coordinator.leave();
    await startWith((_request, response, call) => json(response, call === 1 ? 503 : 200, unreachable));
    const operator = new OperatorClient({ url: coordinator.url, operatorKey: 'k' });
    await operator.setRating('duel', 'ann', { mu: 20, reason: 'known well' });
    const ids = coordinator.calls.map(({ body }) => (JSON.parse(body) as { eventId?: string }).eventId);
    expect(ids[0]).toBeDefined();
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('is called again no earlier than Retry-After', async () => {
    await coordinator.leave();
    const came: number[] = [];
    await startWith((_request, response, call) => {
      came.push(performance.now());
      if (call === 1) json(response, 503, unreachable, { 'retry-after': '1' });
      else json(response, 200, { ticketId: 'tkt_1' });
    });
    await player().read('tkt_1');
    expect((came[1] ?? 0) - (came[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('is called again after a truncated body', async () => {
    await coordinator.leave();
    await startWith((_request, response, call) => {
      if (call > 1) return json(response, 200, { ticketId: 'tkt_1' });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"ticketId"');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await player().read('tkt_1')).toEqual({ ticketId: 'tkt_1' });
  });

  it('is called again after a time-out', async () => {
    await coordinator.leave();
    await startWith((_request, response, call) => {
      if (call > 1) json(response, 200, { ticketId: 'tkt_1' });
    });
    const caller = new Caller(coordinator.url, () => 't');
    const asked = { params: { ticketId: 'tkt_1' }, timeoutMs: 200 };
    expect(await caller.call('readTicket', asked)).toEqual({ ticketId: 'tkt_1' });
  });
});

describe('a call ends', () => {
  it('with the last error when the time for retries is over', async () => {
    await coordinator.leave();
    await expect(player(300).read('tkt_1')).rejects.toThrow('fetch failed');
    await startWith((_request, response) => json(response, 502, unreachable));
    await expect(player(300).read('tkt_1')).rejects.toBeInstanceOf(MusterProblem);
    await expect(player().read('tkt_1', { patienceMs: 0 })).rejects.toMatchObject({ status: 502 });
  });

  it.each([
    ['while it waits for the next attempt', true],
    ['during an attempt', false],
  ])('immediately when its signal aborts %s', async (_, isAway) => {
    await coordinator.leave();
    if (!isAway) await startWith(() => undefined);
    const stop = new AbortController();
    const why = new Error('the player closed the game');
    const reading = player().read('tkt_1', { signal: stop.signal });
    setTimeout(() => stop.abort(why), 100);
    await expect(reading).rejects.toBe(why);
  });

  it('by one signal for many concurrent calls, without a warning', async () => {
    await coordinator.leave();
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    const stop = new AbortController();
    const reading = Array.from({ length: 30 }, () => player().read('tkt_1', { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('closed')), 100);
    const ends = await Promise.allSettled(reading);
    process.off('warning', warned);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(warnings).toEqual([]);
  });

  it('at the first refusal', async () => {
    await coordinator.leave();
    await startWith((_request, response) =>
      json(response, 429, { ...unreachable, type: 'x:cooling-down', status: 429 }),
    );
    await expect(player().read('tkt_1')).rejects.toMatchObject({ code: 'cooling-down' });
    expect(coordinator.calls).toHaveLength(1);
  });

  it('immediately if it may have taken effect and is not idempotent', async () => {
    await coordinator.leave();
    await startWith((_request, response) => json(response, 502, unreachable));
    await expect(player().createParty()).rejects.toMatchObject({ status: 502 });
    expect(coordinator.calls).toHaveLength(1);
  });

  it('immediately if its URL is invalid', async () => {
    await expect(new PlayerClient({ url: 'nowhere', token: 't' }).read('tkt_1')).rejects.toThrow(/URL/);
  });
});

describe('following a ticket', () => {
  const event = (seq: number, closed: boolean): string =>
    `id: ${seq}\nevent: ticket\ndata: ${JSON.stringify({ ticketId: 'tkt_1', seq, closed })}\n\n`;

  it('resumes after the coordinator was unavailable', async () => {
    await coordinator.leave();
    const after: (string | undefined)[] = [];
    await startWith((request, response) => {
      after.push(request.headers['last-event-id']?.toString());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (after.length > 1) return void response.end(event(3, true));
      response.write(`: here\n\n${event(1, false)}${event(2, false)}`);
    });
    const seen: number[] = [];
    for await (const { seq } of player().follow('tkt_1')) {
      seen.push(seq);
      if (seq !== 2) continue;
      await coordinator.leave();
      setTimeout(() => void coordinator.come(), 700);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(after.at(-1)).toBe('2');
  });

  it('ends when the coordinator does not answer for the time for retries', async () => {
    await coordinator.leave();
    await expect(player().waitForAssignment('tkt_1', { patienceMs: 300 })).rejects.toThrow('fetch failed');
  });
});
