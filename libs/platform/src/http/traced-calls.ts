import { endpointOf, paceOf, type OpenSpan, type Traces } from '@muster/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpointAt } from './endpoint-at.js';

/** The span of a call that is being answered; undefined of a call without one. */
export type SpanOf = (request: FastifyRequest) => OpenSpan | undefined;

/**
 * Records calls as spans. Streams and long polls last as long as their callers like, and heartbeats are most of all calls: they
 * have none.
 */
export function traceCalls(server: Pick<FastifyInstance, 'addHook'>, traces: Traces): SpanOf {
  const spans = new WeakMap<FastifyRequest['raw'], OpenSpan>();
  server.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, query, headers } = request;
    const name = endpointAt(method, routeOptions.url);
    const pace = name && name !== 'heartbeat' && paceOf(name, query as Record<string, unknown>);
    if (name && (pace === 'short' || pace === 'long')) {
      const attributes = {
        'http.request.method': method,
        'http.route': endpointOf(name).path,
        'muster.endpoint': name,
      };
      const origin = traces.originOf(headers);
      const span = traces.begin(`${method} ${routeOptions.url}`, { kind: 'server', ...origin, attributes });
      spans.set(request.raw, span);
    }
    done();
  });
  // After the body is read: what continues then is not the work of the hook before.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request.raw);
    if (span?.isRecorded) traces.within(span, done);
    else done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request.raw);
    if (span?.isRecorded) {
      span.note({ 'http.response.status_code': reply.statusCode });
      if (reply.statusCode >= 500) span.fail(new Error(String(reply.statusCode)));
      span.end();
    }
    done();
  });
  return ({ raw }) => spans.get(raw);
}
