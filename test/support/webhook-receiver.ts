import type { MusterEvent } from '@muster/contracts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** How a receiver behaves: `slow` never answers. */
export type Mood = 'takes' | 'fails' | 'slow' | 'gone';

/** A receiver of webhooks, which verifies signatures as docs/events.md shows it. */
export class WebhookReceiver {
  /** What it took, in order; an event may come twice. */
  readonly taken: MusterEvent[] = [];
  /** Messages whose signature was wrong. */
  refused = 0;
  /** Requests that it did not answer with a success. */
  turnedAway = 0;
  mood: Mood = 'takes';
  /** Types that it cannot handle. */
  fails = new Set<string>();
  secret = '';
  private server: Server | null = null;
  private port = 0;

  /** Listens, at the same port as before. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.receive(request, response));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** Ends as a killed process does: connections are cut. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += String(part);
    const { mood } = this;
    if (mood === 'slow') this.turnedAway += 1;
    else if (mood !== 'takes') this.turnAway(response, mood === 'gone' ? 410 : 500);
    else this.verify(text, request, response);
  }

  private verify(text: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      String(headers[name]),
    ]);
    try {
      const event = new Webhook(this.secret).verify(text, Object.fromEntries(signed)) as MusterEvent;
      if (this.fails.has(event.type)) return this.turnAway(response, 500);
      this.taken.push(event);
      response.writeHead(204).end();
    } catch {
      this.refused += 1;
      response.writeHead(401).end();
    }
  }

  private turnAway(response: ServerResponse, status: number): void {
    this.turnedAway += 1;
    response.writeHead(status).end();
  }
}
