import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { traceSettings } from '../core/trace-settings.js';
import { RecordedTraces } from '../traces/recorded-traces.js';
import { traceCalls } from './traced-calls.js';

const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;

/** A server with traced calls, and the trace that each of its handlers saw. */
async function serve(trusts: 'yes' | 'no') {
  const exporter = new InMemorySpanExporter();
  const settings = traceSettings.parse({ TRACES_TRUST_CALLERS: trusts });
  const traces = new RecordedTraces('test', '', settings, new SimpleSpanProcessor({ exporter }));
  const server = fastify();
  onTestFinished(() => server.close());
  traceCalls(server, traces);
  const seen: (string | undefined)[] = [];
  const see = async (): Promise<object> => {
    await Promise.resolve();
    seen.push(traces.active?.traceId);
    return {};
  };
  server.post('/v1/tickets', see);
  server.get('/v1/tickets/:ticketId', see);
  server.post('/v1/servers/:serverId/heartbeat', see);
  server.post('/v1/teams/split', async () => Promise.reject(new Error('broken')));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const call = (method: 'GET' | 'POST', path: string, headers: Record<string, string> = { traceparent }) =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{"n":1}' } : {}),
    });
  return { call, seen, spans: () => exporter.getFinishedSpans() };
}

describe('traced calls', () => {
  it('are spans of a trusted caller’s trace, also in the handler behind the body', async () => {
    const { call, seen, spans } = await serve('yes');
    await call('POST', '/v1/tickets');
    await call('GET', '/v1/tickets/tkt_1');
    expect(seen).toEqual([caller.traceId, caller.traceId]);
    await expect
      .poll(() => spans().map(({ name }) => name))
      .toEqual(['POST /v1/tickets', 'GET /v1/tickets/:ticketId']);
    expect(spans()[0]?.parentSpanContext).toMatchObject(caller);
    expect(spans()[0]?.attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  it('begin a trace that links to that of any other caller, or none where it is malformed', async () => {
    const { call, spans } = await serve('no');
    await call('POST', '/v1/tickets');
    await call('POST', '/v1/tickets', { traceparent: `${traceparent}-${'9'.repeat(4_000)}` });
    await expect.poll(() => spans().length).toBe(2);
    for (const span of spans()) {
      expect(span.parentSpanContext).toBeUndefined();
      expect(span.spanContext().traceId).not.toBe(caller.traceId);
    }
    expect(spans().map(({ links }) => links.map(({ context }) => context.spanId))).toEqual([
      [caller.spanId],
      [],
    ]);
  });

  it('say that they failed; polls, heartbeats and unknown paths are none', async () => {
    const { call, spans } = await serve('no');
    for (const path of ['/v1/servers/one/heartbeat', '/v1/nothing']) await call('POST', path);
    await call('GET', '/v1/tickets/tkt_1?waitSeconds=1');
    await call('POST', '/v1/teams/split');
    await expect
      .poll(() => spans().map(({ name, status }) => [name, status.code]))
      .toEqual([['POST /v1/teams/split', 2]]);
  });
});
