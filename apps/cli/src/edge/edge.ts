import replyFrom from '@fastify/reply-from';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import {
  endpoints,
  openApiDocument,
  problem,
  problemContentType,
  type Endpoint,
  type ProblemCode,
  type Service,
} from '@muster/contracts';
import type { OpenAPIV3 } from 'openapi-types';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

export type Upstreams = Readonly<Record<Service, readonly string[]>>;

const bodyLimitBytes = 64 * 1024;
const unreadablePath = 'The path cannot be read: an id in it is too long, or not encoded as a URL demands.';
/** Said by a replica that is not there: nothing was sent, so another may be asked whatever the call. */
const notThere = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH'];

function send(reply: FastifyReply, code: ProblemCode, detail: string): FastifyReply {
  const document = problem(code, detail);
  return reply
    .status(document.status)
    .header('content-type', problemContentType)
    .send(JSON.stringify({ ...document, instance: reply.request.url.split('?')[0] }));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** The body as it came; left to itself the library would write it anew as JSON. */
function bodyOf({ body, method, headers }: FastifyRequest): { body?: Buffer | null; contentType?: string } {
  if (!Buffer.isBuffer(body) || method === 'GET') return {};
  if (body.length === 0) return { body: null };
  return { body, contentType: headers['content-type'] ?? 'application/octet-stream' };
}

/**
 * One origin for all services, as an ingress would be: routes by the table of endpoints, round robin over replicas, past
 * those that are not there. It holds no state and decides nothing.
 */
export async function createEdge(upstreams: Upstreams, version: string): Promise<FastifyInstance> {
  const edge = fastify({
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (_error, _request, reply) => void send(reply, 'invalid-request', unreadablePath),
  });
  edge.removeAllContentTypeParsers();
  // Bodies pass as they are: the services judge them.
  edge.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  edge.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode === 413)
      return send(reply, 'body-too-large', 'The body is larger than 64 KiB. Send less at once.');
    if ((error.statusCode ?? 500) < 500) return send(reply, 'invalid-request', error.message);
    return send(reply, 'internal-error', 'Something went wrong at the edge. Trying again is safe.');
  });
  // The plugin's types know OpenAPI 3.0 only; it passes the document on as it is.
  await edge.register(swagger, {
    mode: 'static',
    specification: { document: openApiDocument(version) as OpenAPIV3.Document },
  });
  await edge.register(swaggerUi, { routePrefix: '/docs' });
  await edge.register(replyFrom, {
    undici: {
      connections: 512,
      pipelining: 1,
      keepAliveTimeout: 4_000,
      bodyTimeout: 0,
      headersTimeout: 60_000,
      connect: { timeout: 2_000 },
    },
    retryMethods: [],
  });
  edge.get('/health/live', () => ({ status: 'ok' }));
  edge.get('/openapi.json', () => openApiDocument(version));
  edge.get('/', (_request, reply) => reply.redirect('/docs'));

  const turns = new Map<Service, number>();
  const forward = (service: Service, request: FastifyRequest, reply: FastifyReply): void => {
    const replicas = upstreams[service];
    const first = turns.get(service) ?? 0;
    turns.set(service, (first + 1) % replicas.length);
    const attempt = (n: number): void => {
      const upstream = replicas[(first + n) % replicas.length] ?? '';
      reply.from(`${upstream}${request.raw.url ?? ''}`, {
        ...bodyOf(request),
        onError: (_reply, { error }: { error: Error }) => {
          const again =
            notThere.includes(codeOf(error.cause) ?? codeOf(error) ?? '') ||
            (request.method === 'GET' && !reply.raw.headersSent);
          if (again && n + 1 < replicas.length) return attempt(n + 1);
          send(reply, 'service-unreachable', `The ${service} service did not answer. Trying again is safe.`);
        },
      });
    };
    attempt(0);
  };

  const methods = new Map<string, { method: string; service: Service }[]>();
  for (const { path, method, service } of Object.values<Endpoint>(endpoints)) {
    methods.set(path, [...(methods.get(path) ?? []), { method, service }]);
  }
  for (const [path, known] of methods) {
    for (const { method, service } of known) {
      edge.route({
        method,
        url: path,
        handler: (request, reply) => {
          forward(service, request, reply);
          return reply;
        },
      });
    }
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
  return edge;
}

/** Runs the edge as a process of its own. */
export async function runEdge(env: NodeJS.ProcessEnv, version: string): Promise<void> {
  const upstreams = JSON.parse(env['EDGE_UPSTREAMS'] ?? '{}') as Upstreams;
  const edge = await createEdge(upstreams, version);
  await edge.listen({ port: Number(env['EDGE_PORT'] ?? 8080), host: env['EDGE_HOST'] ?? '127.0.0.1' });
  const end = (): void => {
    setTimeout(() => process.exit(0), 3_000).unref();
    void edge.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
