import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEdge } from './edge.js';
import { readEdgeSettings } from './settings.js';

let upstream: Server;
let edge: Awaited<ReturnType<typeof createEdge>>;

afterEach(async () => {
  await edge.close();
  upstream.close();
});

describe('the metrics of the edge', () => {
  it('are on a port of their own, by endpoint and status', async () => {
    upstream = createServer((_request, response) => response.writeHead(201).end('{}'));
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const at = [`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`];
    let metricsUrl = '';
    edge = await createEdge(
      readEdgeSettings({
        EDGE_UPSTREAMS: JSON.stringify({ queue: at, assignment: at, allocator: at, rating: at }),
        EDGE_METRICS_PORT: '0',
      }),
      '0',
      {
        write(line) {
          const { url } = JSON.parse(line) as { url?: string };
          metricsUrl ||= url ?? '';
        },
      },
    );
    const origin = await edge.listen({ port: 0, host: '127.0.0.1' });
    await fetch(`${origin}/v1/tickets`, { method: 'POST', body: '{}' });
    for (const path of ['/no/such/path', '/metrics', '/v1/tickets/x%00']) await fetch(`${origin}${path}`);

    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    expect(text).toContain('muster_http_requests_total{endpoint="createTicket",status="201"} 1');
    expect(text).toContain('muster_http_request_duration_seconds_count{endpoint="createTicket"} 1');
    expect(text).toContain('muster_http_requests_total{endpoint="other",status="404"} 2');
    expect(text).toContain('muster_open_calls{muster_service="edge"} 0');
    expect(text).toMatch(/muster_http_connections\{muster_service="edge"\} \d/);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain('/no/such/path');
  });
});
