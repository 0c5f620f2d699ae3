import type { MusterEvent } from '@muster/contracts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** How a receiver behaves: `slow` never answers. */
export type Mood = 'takes' | 'fails' | 'slow';

/** A receiver of webhooks, which verifies signatures as docs/events.md shows it. */
export class WebhookReceiver {
  /** What it took, in order; an event may come twice. */
  readonly taken: MusterEvent[] = [];
  /** Messages whose signature was wrong. */
  refused = 0;
  /** Requests that it did not answer with a success. */
  turnedAway = 0;
  mood: Mood = 'takes';
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
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
    const text = Buffer.concat(parts).toString('utf8');
    if (this.mood !== 'takes') {
      this.turnedAway += 1;
      if (this.mood === 'fails') response.writeHead(500).end();
      return;
    }
    try {
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
          name,
          String(request.headers[name]),
        ]),
      );
      this.taken.push(new Webhook(this.secret).verify(text, headers) as MusterEvent);
      response.writeHead(204).end();
    } catch {
      this.refused += 1;
      response.writeHead(401).end();
    }
  }
}
