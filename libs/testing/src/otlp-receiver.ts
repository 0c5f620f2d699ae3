import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

interface Sent extends Omit<ReceivedSpan, 'service' | 'attributes' | 'links'> {
  readonly attributes?: Attributes;
  readonly links?: ReceivedSpan['links'];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
}

/** A span as a receiver shows it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A receiver of spans: OTLP over HTTP, with JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** `silent` accepts requests and does not answer. */
  mood: 'well' | 'silent' | 'refusing' = 'well';
  requests = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer((request, response) => {
      receiver.requests++;
      if (receiver.mood === 'silent') return void request.resume();
      if (receiver.mood === 'refusing') return void response.writeHead(503).end();
      json(request)
        .then((body) => {
          receiver.take(body as Export);
          response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        })
        .catch((error: unknown) => response.writeHead(400).end(String(error)));
    });
    const receiver = new OtlpReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { attributes = [], links = [], ...span } of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({ ...span, service, links, attributes: valuesOf(attributes) });
    }
  }
}

function valuesOf(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
