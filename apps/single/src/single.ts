import { allocatorService } from '@muster/allocator/service';
import { assignmentService } from '@muster/assignment/service';
import { endpointOf, type EndpointName, type Service } from '@muster/contracts';
import { addHealth, addRoutes, openOrigin, sendProblem, type ServiceHealth } from '@muster/edge/origin';
import {
  closeWithin,
  createLog,
  endOnSignal,
  finishTogether,
  liveness,
  metricsOf,
  openTogether,
  plan,
  readSettings,
  type OpenService,
} from '@muster/platform';
import { limitConnections, listenBacklog } from '@muster/platform/http-server';
import { queueService } from '@muster/queue/service';
import { ratingService } from '@muster/rating/service';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { addMetrics } from './metrics.js';
import { envOfServices, singleSettings } from './settings.js';

/**
 * Runs all services in this process, behind one port with the edge's routes, documentation and limits. On SIGTERM or
 * SIGINT it drains as a service does.
 */
export async function runSingle(env: NodeJS.ProcessEnv, version: string): Promise<void> {
  const settings = readSettings(singleSettings, env);
  const log = createLog('muster', settings.LOG_LEVEL);
  const own = envOfServices(env);
  const planned = [
    plan(ratingService, own),
    plan(assignmentService, own),
    plan(allocatorService, own),
    plan(queueService, own),
  ];
  const together = new Together();
  const origin = await openOrigin(settings, {
    name: 'muster',
    version,
    logTo: process.stdout,
    forceCloseConnections: 'idle',
  });
  addRoutes(origin, (name) => together.route(name));
  addHealth(
    origin,
    () => together.isDraining,
    (service) => together.healthOf(service),
    liveness,
  );
  const metrics = metricsOf(log);
  addMetrics(origin, metrics, settings.OPERATOR_KEY);
  // It listens before its stores answer, and reports so.
  limitConnections(origin.server);
  await origin.listen({ port: settings.EDGE_PORT, host: settings.EDGE_HOST, backlog: listenBacklog });
  const opening = openTogether(planned, log, metrics);
  endOnSignal('muster', settings, log, {
    drain: () => together.drain(),
    end: async () => end(await opening, origin),
  });
  together.opened(await opening);
  log.info({ url: origin.listeningOrigin }, 'muster is up');
}

/** Finishes work in progress, then calls in progress, then closes the stores. */
async function end(open: readonly OpenService[], origin: FastifyInstance): Promise<void> {
  await finishTogether(open);
  await closeWithin(origin.server, () => origin.close());
  for (const service of open.toReversed()) await service.close();
}

/** The services of this process, once they are open. */
class Together {
  private readonly services = new Map<string, OpenService>();
  isDraining = false;

  opened(services: readonly OpenService[]): void {
    for (const service of services) {
      this.services.set(service.name, service);
      if (this.isDraining) service.drain();
    }
  }

  drain(): void {
    this.isDraining = true;
    for (const service of this.services.values()) service.drain();
  }

  /** Hands a call to its service before its body is read. */
  route(name: EndpointName): Pick<RouteOptions, 'handler' | 'onRequest'> {
    const { service: serviceName } = endpointOf(name);
    return {
      onRequest: (request, reply, done) => {
        const service = this.services.get(serviceName);
        if (!service) return done();
        reply.hijack();
        service.handle(withoutTypeOfNoBody(request.raw), reply.raw);
      },
      // Reached only until the services are open.
      handler: (_request, reply) =>
        sendProblem(
          reply.header('retry-after', '1'),
          'service-unreachable',
          `The ${serviceName} service is starting. Trying again is safe.`,
        ),
    };
  }

  async healthOf(name: Service): Promise<ServiceHealth> {
    const service = this.services.get(name);
    if (!service) return { isReady: false, says: 'starting' };
    const { isReady, checks } = await service.readiness();
    if (isReady) return { isReady: true, says: 'ok (1 ready)' };
    const flaws = Object.entries(checks).filter(([, said]) => said !== 'ok');
    return {
      isReady: false,
      says: ['1 unready', ...flaws.map(([what, said]) => `${what}: ${said}`)].join(', '),
    };
  }
}

/** A content type without a body is ignored, as at the edge. */
function withoutTypeOfNoBody(request: IncomingMessage): IncomingMessage {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
    delete headers['content-type'];
  return request;
}
