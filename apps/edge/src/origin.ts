import fastifyCors from '@fastify/cors';
import {
  corsOptions,
  endpointOf,
  endpoints,
  type Endpoint,
  type EndpointName,
  type Service,
} from '@muster/contracts';
import { CallerAddresses, Networks } from '@muster/platform/caller-address';
import { connectionOptions, guardRequest, limitPerAddress } from '@muster/platform/http-server';
import fastify, { LogController, type FastifyInstance, type RouteOptions } from 'fastify';
import { builtDashboard, serveDashboard } from './pages/dashboard.js';
import { serveDocs } from './pages/docs.js';
import { sendProblem } from './problem-reply.js';
import type { OriginSettings } from './settings.js';

/** Whether a service is ready, and a description for operators. */
export interface ServiceHealth {
  readonly isReady: boolean;
  readonly says: string;
}

/** What an origin is called, and how it ends. */
export interface OriginOptions {
  /** Its name in the log. */
  readonly name: string;
  /** The version in the documentation. */
  readonly version: string;
  readonly logTo: { write(line: string): void };
  /** On closing: true ends every connection, `idle` waits for calls in progress. */
  readonly forceCloseConnections: true | 'idle';
}

const services = ['queue', 'assignment', 'allocator', 'rating'] as const satisfies readonly Service[];
const unreadablePath = 'The path is invalid: an id in it is too long or not URL-encoded.';

/**
 * A server for the paths of all services: the dashboard, documentation, CORS, and problem documents for requests that reach none.
 * The routes of the services are added by {@link addRoutes}.
 *
 * @param dashboard the folder of its build
 */
export async function openOrigin(
  settings: OriginSettings,
  options: OriginOptions,
  dashboard = builtDashboard,
): Promise<FastifyInstance> {
  const origin = openServer(settings, options);
  const cors = corsOptions(settings.CORS_ORIGINS);
  // Pages that may read the services' answers may also read the origin's own problems.
  if (cors) await origin.register(fastifyCors, cors);
  passBodiesAsTheyAre(origin);
  answerOwnErrors(origin);
  await serveDocs(origin, options.version);
  serveDashboard(origin, dashboard);
  return origin;
}

function openServer(
  settings: OriginSettings,
  { name, logTo, forceCloseConnections }: OriginOptions,
): FastifyInstance {
  const origin = fastify({
    ...connectionOptions({
      requestMs: settings.REQUEST_TIMEOUT_MS,
      keepAliveMs: settings.EDGE_KEEP_ALIVE_TIMEOUT_MS,
    }),
    forceCloseConnections,
    logger: {
      level: settings.LOG_LEVEL,
      base: { service: name, pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      stream: logTo,
    },
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (_error, _request, reply) => void sendProblem(reply, 'invalid-request', unreadablePath),
  });
  origin.addHook('onRequest', guardRequest);
  limitPerAddress(origin.server, settings.EDGE_CONNECTIONS_PER_ADDRESS, publicAddresses(settings));
  return origin;
}

/** Addresses of the internet: proxies and what is inside have no limits by address. */
export const publicAddresses = ({ TRUSTED_PROXIES }: OriginSettings): CallerAddresses =>
  new CallerAddresses(TRUSTED_PROXIES, Networks.parse('private'));

/** Services validate bodies, not the origin. */
function passBodiesAsTheyAre(origin: FastifyInstance): void {
  origin.removeAllContentTypeParsers();
  origin.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function answerOwnErrors(origin: FastifyInstance): void {
  origin.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode === 413)
      return sendProblem(reply, 'body-too-large', 'The body is larger than 64 KiB. Send less at a time.');
    if ((error.statusCode ?? 500) < 500) return sendProblem(reply, 'invalid-request', error.message);
    origin.log.error(
      { err: error, method: request.method, path: request.url.split('?')[0] },
      'a call failed at the edge',
    );
    return sendProblem(reply, 'internal-error', 'An unexpected error occurred at the edge. A retry is safe.');
  });
}

/**
 * Adds the route of every endpoint.
 *
 * @param answer how an endpoint is answered: a handler, or an earlier hook that takes the call over
 */
export function addRoutes(
  origin: FastifyInstance,
  answer: (name: EndpointName) => Pick<RouteOptions, 'handler' | 'onRequest'>,
): void {
  const byPath = new Map<string, { method: Endpoint['method']; name: EndpointName }[]>();
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { path, method } = endpointOf(name);
    byPath.set(path, [...(byPath.get(path) ?? []), { method, name }]);
  }
  for (const [path, known] of byPath) {
    for (const { method, name } of known) origin.route({ method, url: path, ...answer(name) });
    const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      (method) => !known.some((k) => k.method === method),
    );
    origin.route({
      method: others,
      url: path,
      handler: (_request, reply) => {
        const allowed = known.map((k) => k.method).join(', ');
        return sendProblem(reply.header('allow', allowed), 'method-not-allowed', `Use ${allowed} here.`);
      },
    });
  }
  origin.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, 'not-found', 'There is no such path; see /docs for all paths.'),
  );
}

/**
 * `/health/live`: the event loop runs. `/health/ready`: every service is ready.
 *
 * @param liveness tells whether the services of this process go on
 */
export function addHealth(
  origin: FastifyInstance,
  isDraining: () => boolean,
  healthOf: (service: Service) => ServiceHealth | Promise<ServiceHealth>,
  liveness: () => { readonly isAlive: boolean; readonly status: string } = () => ({
    isAlive: true,
    status: 'ok',
  }),
): void {
  origin.get('/health/live', (_request, reply) => {
    const { isAlive, ...answer } = liveness();
    return reply.status(isAlive ? 200 : 503).send(answer);
  });
  origin.get('/health/ready', async (_request, reply) => {
    const seen = await Promise.all(
      services.map(async (service) => [service, await healthOf(service)] as const),
    );
    const ready = !isDraining() && seen.every(([, { isReady }]) => isReady);
    const status = isDraining() ? 'draining' : ready ? 'ok' : 'not ready';
    const checks = Object.fromEntries(seen.map(([service, { says }]) => [service, says]));
    return reply.status(ready ? 200 : 503).send({ status, checks });
  });
}
