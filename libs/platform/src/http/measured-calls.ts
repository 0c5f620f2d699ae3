import { paceOf, type Meter } from '@muster/contracts';
import type { FastifyInstance } from 'fastify';
import { endpointAt } from './endpoint-at.js';

/**
 * Counts the calls that a server answered, and how long they took. A path without an endpoint is `other`, so that what
 * callers make up costs no series. Streams and long polls last as long as their callers like, so they are only counted.
 */
export function measureCalls(server: Pick<FastifyInstance, 'addHook'>, meter: Meter): void {
  server.addHook('onResponse', (request, reply, done) => {
    const name = endpointAt(request.method, request.routeOptions.url);
    const endpoint = name ?? 'other';
    meter.count('httpRequests', { endpoint, status: String(reply.statusCode) });
    const pace = name && paceOf(name, request.query as Record<string, unknown>);
    if (pace === 'short' || pace === 'long')
      meter.observe('httpDuration', { endpoint }, reply.elapsedTime / 1_000);
    done();
  });
}
