import fastifyCors from '@fastify/cors';
import {
  corsOptions,
  endpointOf,
  endpoints,
  paceOf,
  problem,
  problemContentType,
  repeatsOf,
  type Endpoint,
  type EndpointName,
  type Pace,
  type ProblemCode,
  type Service,
} from '@muster/contracts';
import { answerHeaders, connectionOptions, guardRequest, listenBacklog } from '@muster/platform/http-server';
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Dispatcher } from 'undici';
import { serveDocs } from './docs.js';
import { Forwarder, NoAnswer } from './forward.js';
import { passedOn } from './headers.js';
import { wasNotSent } from './network-error.js';
import { Probe } from './probe.js';
import { ReplicaSet, type Replica, type ReplicaState } from './replica.js';
import { readEdgeSettings, type EdgeSettings } from './settings.js';

export type Upstreams = Readonly<Record<Service, readonly string[]>>;

const unreadablePath = 'The path cannot be read: an id in it is too long, or not encoded as a URL demands.';

function send(reply: FastifyReply, code: ProblemCode, detail: string): FastifyReply {
  const document = problem(code, detail);
  return reply
    .status(document.status)
    .headers({ ...answerHeaders, 'content-type': problemContentType })
    .send(JSON.stringify({ ...document, instance: reply.request.url.split('?')[0] }));
}

/** Fires when the client hangs up, and after its answer, when nobody minds. */
function hangUp(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  return left.signal;
}

/** Whether a call can be sent to another replica once one may have carried it out. Keys are made up where none came. */
function isRepeatable(name: EndpointName): boolean {
  const repeats = repeatsOf(name);
  return repeats === 'safe' || repeats === 'with-key' || endpointOf(name).method !== 'POST';
}

function headersFor(
  name: EndpointName,
  { headers }: FastifyRequest,
  hasBody: boolean,
): Record<string, string | string[]> {
  // The host is the replica's own, and the length that of what is sent.
  const written = ['host', 'content-length', 'expect', ...(hasBody ? [] : ['content-type'])];
  const passed = passedOn(headers, written);
  // A key of the edge's own makes this one call safe to repeat; the client cannot use it, and misses nothing by it.
  if (repeatsOf(name) === 'with-key') passed['idempotency-key'] ??= `edge-${crypto.randomUUID()}`;
  return passed;
}

/**
 * One origin for all services, as an ingress would be: routes by the table of endpoints over the replicas that answer. What it
 * knows of replicas it has seen for itself, and it decides nothing else.
 */
export async function createEdge(
  settings: EdgeSettings,
  version: string,
  logTo: { write(line: string): void } = process.stdout,
): Promise<FastifyInstance> {
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
    frameworkErrors: (_error, _request, reply) => void send(reply, 'invalid-request', unreadablePath),
  });
  edge.addHook('onRequest', guardRequest);
  const cors = corsOptions(settings.CORS_ORIGINS);
  // Problems of the edge's own are read by the same pages as the services' answers.
  if (cors) await edge.register(fastifyCors, cors);
  edge.removeAllContentTypeParsers();
  // Bodies pass as they are: the services judge them.
  edge.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  edge.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode === 413)
      return send(reply, 'body-too-large', 'The body is larger than 64 KiB. Send less at once.');
    if ((error.statusCode ?? 500) < 500) return send(reply, 'invalid-request', error.message);
    edge.log.error({ err: error, method: request.method, url: request.url }, 'a call failed at the edge');
    return send(reply, 'internal-error', 'An unexpected error occurred at the edge. A retry is safe.');
  });
  await serveDocs(edge, version);

  const changed = (replica: Replica, before: ReplicaState): void =>
    edge.log.warn({ replica: replica.url, before, now: replica.state }, 'a replica changed its state');
  const services = new Map<Service, ReplicaSet>(
    (['queue', 'assignment', 'allocator', 'rating'] as const).map((service) => [
      service,
      new ReplicaSet(settings.EDGE_UPSTREAMS[service], changed),
    ]),
  );
  const probe = new Probe(
    [...services.values()].flatMap(({ replicas }) => replicas),
    { everyMs: settings.EDGE_PROBE_MS, silentMs: settings.EDGE_SILENT_MS },
  );
  const suspect = (replica: Replica, error: unknown): void => {
    edge.log.warn({ replica: replica.url, err: error }, 'a replica did not answer a call');
    if (wasNotSent(error)) replica.seen('away');
    else void probe.look(replica);
  };
  const forwarder = new Forwarder(
    {
      connectMs: settings.EDGE_CONNECT_MS,
      answerMs: settings.EDGE_ANSWER_MS,
      longAnswerMs: settings.EDGE_LONG_ANSWER_MS,
      streamSilenceMs: settings.EDGE_STREAM_SILENCE_MS,
    },
    suspect,
  );
  edge.addHook('onReady', () => probe.start());
  edge.addHook('onClose', async () => {
    await probe.stop();
    await forwarder.close();
  });

  let open = 0;
  const forward = async (
    name: EndpointName,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { service } = endpointOf(name);
    const pace = paceOf(name, request.query as Record<string, unknown>);
    const waits = pace === 'poll' || pace === 'stream';
    if (waits && open >= settings.EDGE_OPEN_CALLS)
      return send(
        reply.header('retry-after', '1'),
        'too-busy',
        'The edge holds as many streams and long polls open as it may. Try again in a moment.',
      );
    const left = hangUp(reply);
    if (waits) {
      open++;
      reply.raw.once('close', () => open--);
    }
    try {
      const answer = await forwarder.send(
        callOf(name, request, pace, left),
        services.get(service) ?? new ReplicaSet([], changed),
      );
      return await reply.code(answer.statusCode).headers(passedOn(answer.headers)).send(answer.body);
    } catch (error) {
      if (left.aborted) return reply.hijack();
      if (!(error instanceof NoAnswer)) throw error;
      edge.log.error(
        { err: error.cause, method: request.method, url: request.url },
        `no replica of ${service} answered`,
      );
      return send(
        reply.header('retry-after', '1'),
        'service-unreachable',
        error.isUncertain
          ? `The ${service} service did not answer, and the call may have taken effect: look before you repeat it.`
          : `No replica of the ${service} service answered. Trying again is safe.`,
      );
    }
  };
  addRoutes(edge, forward);
  addHealth(edge, services);
  return edge;
}

function callOf(
  name: EndpointName,
  request: FastifyRequest,
  pace: Pace,
  left: AbortSignal,
): Parameters<Forwarder['send']>[0] {
  const { method, body } = request;
  const sent =
    Buffer.isBuffer(body) && body.length > 0 && method !== 'GET' && method !== 'HEAD' ? body : null;
  return {
    method: method as Dispatcher.HttpMethod,
    path: request.raw.url ?? '/',
    headers: headersFor(name, request, sent !== null),
    body: sent,
    pace,
    repeatable: isRepeatable(name),
    left,
  };
}

type Forward = (name: EndpointName, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function addRoutes(edge: FastifyInstance, forward: Forward): void {
  const byPath = new Map<string, { method: Endpoint['method']; name: EndpointName }[]>();
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { path, method } = endpointOf(name);
    byPath.set(path, [...(byPath.get(path) ?? []), { method, name }]);
  }
  for (const [path, known] of byPath) {
    for (const { method, name } of known)
      edge.route({ method, url: path, handler: (request, reply) => forward(name, request, reply) });
    const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      (method) => !known.some((k) => k.method === method),
    );
    edge.route({
      method: others,
      url: path,
      handler: (_request, reply) => {
        const allowed = known.map((k) => k.method).join(', ');
        return send(reply.header('allow', allowed), 'method-not-allowed', `Use ${allowed} here.`);
      },
    });
  }
  edge.setNotFoundHandler((_request, reply) =>
    send(reply, 'not-found', 'No call answers at this path; see /docs for those that do.'),
  );
}

/** `/health/live`: the process runs. `/health/ready`: every service has a replica that answers. */
function addHealth(edge: FastifyInstance, services: ReadonlyMap<Service, ReplicaSet>): void {
  edge.get('/health/live', () => ({ status: 'ok' }));
  edge.get('/health/ready', (_request, reply) => {
    const seen = [...services].map(([service, { health }]) => [service, health] as const);
    const ready = !isDraining(edge) && seen.every(([, { answers }]) => answers);
    const status = isDraining(edge) ? 'draining' : ready ? 'ok' : 'not ready';
    const checks = Object.fromEntries(seen.map(([service, { says }]) => [service, says]));
    return reply.status(ready ? 200 : 503).send({ status, checks });
  });
}

const draining = new WeakSet<FastifyInstance>();
const isDraining = (edge: FastifyInstance): boolean => draining.has(edge);

/** Readiness falls first; after the pause that a load balancer needs to see it, the edge closes. */
export async function drainEdge(edge: FastifyInstance, pauseMs: number): Promise<void> {
  draining.add(edge);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await edge.close();
}

/** Runs the edge as a process of its own. */
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
