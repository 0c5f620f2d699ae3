import fastifyCors from '@fastify/cors';
import {
  corsOptions,
  endpointOf,
  endpoints,
  type Endpoint,
  type EndpointName,
  type Service,
} from '@muster/contracts';
import { connectionOptions, guardRequest, listenBacklog } from '@muster/platform/http-server';
import fastify, { LogController, type FastifyInstance } from 'fastify';
import { Calls } from './calls.js';
import { serveDocs } from './docs.js';
import { Forwarder } from './forward.js';
import { wasNotSent } from './network-error.js';
import { Probe } from './probe.js';
import { sendProblem } from './problem-reply.js';
import { ReplicaSet, type Replica, type ReplicaState } from './replica.js';
import { readEdgeSettings, type EdgeSettings } from './settings.js';

export type Upstreams = Readonly<Record<Service, readonly string[]>>;

const unreadablePath = 'The path is invalid: an id in it is too long or not URL-encoded.';

/**
 * One origin for all services, like an ingress: routes by the table of endpoints to answering replicas. Its only state
 * is what it observes of replicas.
 */
export async function createEdge(
  settings: EdgeSettings,
  version: string,
  logTo: { write(line: string): void } = process.stdout,
): Promise<FastifyInstance> {
  const edge = openServer(settings, logTo);
  const cors = corsOptions(settings.CORS_ORIGINS);
  // Pages that may read the services' answers may also read the edge's own problems.
  if (cors) await edge.register(fastifyCors, cors);
  passBodiesAsTheyAre(edge);
  answerOwnErrors(edge);
  await serveDocs(edge, version);

  const services = replicasOf(settings.EDGE_UPSTREAMS, edge);
  const probe = new Probe(
    Object.values(services).flatMap(({ replicas }) => replicas),
    { everyMs: settings.EDGE_PROBE_MS, silentMs: settings.EDGE_SILENT_MS },
  );
  const forwarder = forwarderOf(settings, probe, edge);
  edge.addHook('onReady', () => probe.start());
  edge.addHook('onClose', async () => {
    await probe.stop();
    await forwarder.close();
  });
  addRoutes(edge, new Calls(services, forwarder, settings.EDGE_OPEN_CALLS, edge.log));
  addHealth(edge, services);
  return edge;
}

function openServer(settings: EdgeSettings, logTo: { write(line: string): void }): FastifyInstance {
  const edge = fastify({
    ...connectionOptions({
      requestMs: settings.REQUEST_TIMEOUT_MS,
      keepAliveMs: settings.EDGE_KEEP_ALIVE_TIMEOUT_MS,
    }),
    forceCloseConnections: true,
    logger: {
      level: settings.LOG_LEVEL,
      base: { service: 'edge', pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      stream: logTo,
    },
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (_error, _request, reply) => void sendProblem(reply, 'invalid-request', unreadablePath),
  });
  edge.addHook('onRequest', guardRequest);
  return edge;
}

/** Services validate bodies, not the edge. */
function passBodiesAsTheyAre(edge: FastifyInstance): void {
  edge.removeAllContentTypeParsers();
  edge.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function answerOwnErrors(edge: FastifyInstance): void {
  edge.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode === 413)
      return sendProblem(reply, 'body-too-large', 'The body is larger than 64 KiB. Send less at a time.');
    if ((error.statusCode ?? 500) < 500) return sendProblem(reply, 'invalid-request', error.message);
    edge.log.error({ err: error, method: request.method, url: request.url }, 'a call failed at the edge');
    return sendProblem(reply, 'internal-error', 'An unexpected error occurred at the edge. A retry is safe.');
  });
}

function replicasOf(upstreams: Upstreams, { log }: FastifyInstance): Record<Service, ReplicaSet> {
  const changed = (replica: Replica, before: ReplicaState): void =>
    log.warn({ replica: replica.url, before, now: replica.state }, 'a replica changed its state');
  const set = (service: Service): ReplicaSet => new ReplicaSet(upstreams[service], changed);
  return {
    queue: set('queue'),
    assignment: set('assignment'),
    allocator: set('allocator'),
    rating: set('rating'),
  };
}

/** A forwarder that probes replicas which did not answer a call. */
function forwarderOf(settings: EdgeSettings, probe: Probe, { log }: FastifyInstance): Forwarder {
  return new Forwarder(
    {
      connectMs: settings.EDGE_CONNECT_MS,
      answerMs: settings.EDGE_ANSWER_MS,
      longAnswerMs: settings.EDGE_LONG_ANSWER_MS,
      streamSilenceMs: settings.EDGE_STREAM_SILENCE_MS,
    },
    (replica, error) => {
      log.warn({ replica: replica.url, err: error }, 'a replica did not answer a call');
      if (wasNotSent(error)) replica.seen('away');
      else void probe.check(replica);
    },
  );
}

function addRoutes(edge: FastifyInstance, calls: Calls): void {
  const byPath = new Map<string, { method: Endpoint['method']; name: EndpointName }[]>();
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { path, method } = endpointOf(name);
    byPath.set(path, [...(byPath.get(path) ?? []), { method, name }]);
  }
  for (const [path, known] of byPath) {
    for (const { method, name } of known)
      edge.route({ method, url: path, handler: (request, reply) => calls.forward(name, request, reply) });
    const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      (method) => !known.some((k) => k.method === method),
    );
    edge.route({
      method: others,
      url: path,
      handler: (_request, reply) => {
        const allowed = known.map((k) => k.method).join(', ');
        return sendProblem(reply.header('allow', allowed), 'method-not-allowed', `Use ${allowed} here.`);
      },
    });
  }
  edge.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, 'not-found', 'There is no such path; see /docs for all paths.'),
  );
}

/** `/health/live`: the event loop runs. `/health/ready`: every service has an answering replica. */
function addHealth(edge: FastifyInstance, services: Readonly<Record<Service, ReplicaSet>>): void {
  edge.get('/health/live', () => ({ status: 'ok' }));
  edge.get('/health/ready', (_request, reply) => {
    const seen = Object.entries(services).map(([service, { health }]) => [service, health] as const);
    const ready = !isDraining(edge) && seen.every(([, { answers }]) => answers);
    const status = isDraining(edge) ? 'draining' : ready ? 'ok' : 'not ready';
    const checks = Object.fromEntries(seen.map(([service, { says }]) => [service, says]));
    return reply.status(ready ? 200 : 503).send({ status, checks });
  });
}

const draining = new WeakSet<FastifyInstance>();
const isDraining = (edge: FastifyInstance): boolean => draining.has(edge);

/** First readiness fails; after the pause that load balancers need to notice, the edge closes. */
export async function drainEdge(edge: FastifyInstance, pauseMs: number): Promise<void> {
  draining.add(edge);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await edge.close();
}

/** Runs the edge as a process. */
export async function runEdge(env: NodeJS.ProcessEnv, version: string): Promise<void> {
  const settings = readEdgeSettings(env);
  const edge = await createEdge(settings, version);
  await edge.listen({ port: settings.EDGE_PORT, host: settings.EDGE_HOST, backlog: listenBacklog });
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), settings.EDGE_DRAIN_MS + 3_000).unref();
    void drainEdge(edge, settings.EDGE_DRAIN_MS).then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
