import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { FollowedEvent } from './follow-events.js';
import { OperatorClient } from '../operator-client.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A coordinator that answers each connection in turn; the last answer is repeated. */
async function coordinator(...answers: ((response: ServerResponse) => void)[]) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, operator: new OperatorClient({ url, operatorKey: 'key' }) };
}

const place = (event: string, position: number): string =>
  `id: ${position}\nevent: ${event}\ndata: ${JSON.stringify({ position })}\n\n`;
const happened = (position: number): string =>
  `id: ${position}\nevent: match.rated\ndata: ${JSON.stringify({ id: `evt_${position}`, type: 'match.rated' })}\n\n`;
const stream =
  (...parts: string[]) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(parts.join(''));
const problem = (status: number, code: string) => (response: ServerResponse) =>
  void response
    .writeHead(status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify({ type: `urn:muster:problem:${code}`, title: 'No', status, detail: 'No.' }));

async function take(operator: OperatorClient, many: number, after?: number): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  const stop = new AbortController();
  for await (const event of operator.followEvents({ after, types: ['match.*'], signal: stop.signal })) {
    events.push(event);
    if (events.length === many) stop.abort();
  }
  return events;
}

describe('events', () => {
  it('are followed on from the last position that was told, with an event or without', async () => {
    const { asked, operator } = await coordinator(
      stream(place('begin', 4)),
      stream(place('begin', 4), happened(5), place('position', 90), 'event: come-again\ndata: {}\n\n'),
      stream(place('begin', 90), happened(91)),
    );
    expect((await take(operator, 2)).map(({ position, id }) => [position, id])).toEqual([
      [5, 'evt_5'],
      [91, 'evt_91'],
    ]);
    expect(asked).toEqual(['', '&after=4', '&after=90'].map((after) => `/v1/events?types=match.*${after}`));
  });

  it('are followed on when the coordinator is busy, and not when it refuses', async () => {
    const busy = await coordinator(
      problem(429, 'too-many-open'),
      problem(503, 'too-busy'),
      stream(happened(8)),
    );
    expect(await take(busy.operator, 1, 7)).toMatchObject([{ position: 8 }]);
    server?.close();
    const { operator } = await coordinator(problem(410, 'events-forgotten'));
    await expect(take(operator, 1, 7)).rejects.toMatchObject({ status: 410, code: 'events-forgotten' });
  });
});
