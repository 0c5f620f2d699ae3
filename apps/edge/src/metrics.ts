import { Metrics, metricsContentType } from '@muster/platform/metrics';
import type { ErrorLog } from '@muster/platform/error-log';
import { measureCalls } from '@muster/platform/measured-calls';
import fastify, { type FastifyInstance } from 'fastify';
import type { EdgeSettings } from './settings.js';

/**
 * Measures an edge, and answers `/metrics` on a port of its own: that of the edge is public.
 *
 * @param openCalls the streams and long polls that are open
 */
export function addEdgeMetrics(
  edge: FastifyInstance,
  { EDGE_HOST: host, EDGE_METRICS_PORT: port }: EdgeSettings,
  openCalls: () => number,
  errors: ErrorLog,
): void {
  if (port === undefined) return;
  const metrics = new Metrics(performance, (source, error) => errors.report(`figures: ${source}`, error));
  measureCalls(edge, metrics);
  const labels = { muster_service: 'edge' };
  metrics.add({
    name: 'edge',
    asksStore: false,
    read: async () => ({
      openCalls: [{ labels, value: openCalls() }],
      httpConnections: [{ labels, value: await connectionsOf(edge) }],
    }),
  });
  const own = fastify();
  own.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metricsContentType).send(await metrics.text()),
  );
  edge.addHook('onListen', async () => {
    const url = await own.listen({ port, host });
    edge.log.info({ url }, 'the edge answers /metrics');
  });
  edge.addHook('onClose', () => own.close());
}

function connectionsOf({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
