import { sendProblem } from '@muster/edge/origin';
import { bearsKey, metricsContentType, type Metrics } from '@muster/platform';
import type { FastifyInstance } from 'fastify';

/** Adds `/metrics`, for holders of the operator key: the port of this process is public. */
export function addMetrics(
  origin: FastifyInstance,
  metrics: Pick<Metrics, 'text'>,
  operatorKey: string,
): void {
  origin.get('/metrics', async (request, reply) => {
    if (!bearsKey(request.headers.authorization, operatorKey))
      return sendProblem(
        reply,
        'not-authenticated',
        'Send an Authorization header: Bearer and the operator key.',
      );
    return reply.header('content-type', metricsContentType).send(await metrics.text());
  });
}
