import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { slowMs } from './agones-servers.js';
import { FaultPlan } from './faults.js';

/** The published form of a request: docs/hosting.md. */
const Request = z.strictObject({
  id: z.string().regex(/^alc_[0-9a-f]{32}$/),
  build: z.string().min(1),
  region: z.string().min(1).nullable(),
  reason: z.string().min(1),
  realm: z.string().min(1),
});

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An endpoint of a hoster, as docs/hosting.md asks for it: it starts one server for an id, however often it is asked. */
export class WebhookEndpoint {
  readonly faults = new FaultPlan();
  readonly invalid: string[] = [];
  /** Servers by allocation. More than one for an id cannot be: the id is the key. */
  readonly held = new Map<string, { readonly port: number; polls: number }>();
  /** How often servers were started, by allocation. */
  readonly started = new Map<string, number>();
  requests = 0;
  /** Servers that it can start. */
  capacity = Infinity;
  /** How often a request is `pending` before its server is named. */
  pendingPolls = 0;
  onAllocated: (id: string) => void = () => undefined;
  private readonly server: Server;
  private port = 20_000;

  private constructor(
    private readonly secret: string,
    private readonly token: string,
  ) {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const send = ({ status, body: value, headers = {} }: Reply): void =>
          void response
            .writeHead(status, { 'content-type': 'application/json', ...headers })
            .end(typeof value === 'string' ? value : JSON.stringify(value));
        this.requests++;
        this.checkCaller(request, body);
        const fault = this.faults.next();
        if (fault === 'error') return send({ status: 500, body: 'boom' });
        if (fault === 'busy') return send({ status: 429, body: '', headers: { 'retry-after': '3' } });
        if (fault === 'garbage') return send({ status: 200, body: '{"state":"maybe"}' });
        if (fault === 'slow')
          return void setTimeout(() => send({ status: 503, body: 'late' }), slowMs).unref();
        const reply = this.reply(request, body);
        if (fault === 'lose') return;
        if (fault === 'cut') return void request.socket.destroy();
        send(reply);
      });
    });
  }

  static async start(secret: string, token: string): Promise<WebhookEndpoint> {
    const endpoint = new WebhookEndpoint(secret, token);
    endpoint.server.listen(0, '127.0.0.1');
    await once(endpoint.server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/allocations`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private reply({ method, url = '' }: IncomingMessage, body: string): Reply {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const id = /^\/v1\/allocations\/(.+)$/.exec(pathname)?.[1];
    if (method === 'POST' && pathname === '/v1/allocations') return this.post(body);
    if (method === 'GET' && id !== undefined) return this.stateOf(id);
    if (method === 'GET' && pathname === '/v1/allocations' && searchParams.has('realm'))
      return this.page(searchParams.get('cursor'));
    if (method === 'DELETE' && id !== undefined)
      return { status: this.held.delete(id) ? 204 : 404, body: '' };
    this.invalid.push(`${method} ${url} is no call of the protocol`);
    return { status: 405, body: '' };
  }

  private post(body: string): Reply {
    const read = Request.safeParse(parsed(body));
    if (!read.success) {
      this.invalid.push(...read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
      return { status: 400, body: '' };
    }
    const { id } = read.data;
    if (!this.held.has(id)) {
      if (this.held.size >= this.capacity)
        return { status: 200, body: { state: 'failed', reason: 'all machines are in use' } };
      this.held.set(id, { port: ++this.port, polls: 0 });
      this.started.set(id, (this.started.get(id) ?? 0) + 1);
    }
    return this.stateOf(id);
  }

  private stateOf(id: string): Reply {
    const held = this.held.get(id);
    if (!held) return { status: 404, body: '' };
    if (held.polls < this.pendingPolls) {
      held.polls++;
      return { status: 202, body: { state: 'pending' }, headers: { 'retry-after': '2' } };
    }
    this.onAllocated(id);
    return { status: 200, body: { state: 'allocated', host: '203.0.113.9', port: held.port } };
  }

  /** Two ids on a page. */
  private page(cursor: string | null): Reply {
    const ids = [...this.held.keys()].toSorted().filter((id) => cursor === null || id > cursor);
    const page = ids.slice(0, 2);
    const next = ids.length > 2 ? page.at(-1) : null;
    return { status: 200, body: { allocations: page.map((id) => ({ id })), next } };
  }

  private checkCaller({ headers, method, url }: IncomingMessage, body: string): void {
    if (headers.authorization !== `Bearer ${this.token}`) this.invalid.push('the token is missing');
    const [, seconds = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(headers['muster-signature']),
    ) ?? [''];
    const expected = createHmac('sha256', this.secret).update(`${seconds}.${method}.${url}.${body}`).digest();
    const given = Buffer.from(digest, 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      this.invalid.push('the signature is wrong');
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
