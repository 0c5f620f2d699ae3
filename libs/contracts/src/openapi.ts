import { z } from 'zod';
import { endpoints, type Endpoint, type Service } from './endpoints.js';
import type { OperatorRole } from './operator-roles.js';
import { Problem, problemContentType, problems, type ProblemCode } from './problems.js';

type Json = Record<string, unknown>;
/** Parts of `components/schemas` by their names. */
type NamedSchemas = Map<string, Json>;

const schemes: Record<string, string> = {
  player: 'A JWT (EdDSA) from the game’s login; its `sub` is the player.',
  server: 'The `serverToken` that registering answered.',
  fleet: 'The server key.',
  operator:
    'An operator key, or a JWT of the identity provider of operators. Each call names the least role that it needs.',
};

const services: Record<Service, string> = {
  queue: 'Tickets, parties, penalties, behaviour, queues and their rules.',
  assignment: 'Teams, the history of matches, live balance.',
  allocator: 'Dedicated servers, their commands, sessions and results.',
  rating: 'Ratings, rating pools, and results of matches played elsewhere.',
};

/** Problems of every call: a query that the call does not take is an invalid request. */
const always: readonly ProblemCode[] = [
  'invalid-request',
  'too-many-requests',
  'internal-error',
  'store-unavailable',
];

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema: made }) => {
      // An answer may have more fields in the next release; only a schema's own prohibitions apply.
      const { def } = zodSchema._zod;
      if (io === 'output' && def.type === 'object' && !(def as z.core.$ZodObjectDef).catchall)
        delete made.additionalProperties;
    },
  });
  return rest;
}

/**
 * A schema of a body whose defaults are part of the description. The services supply omitted fields; a generator that reads
 * `default` would make the field required (openapi-typescript), or send a value of the release it was generated from.
 */
function defaultsInWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(defaultsInWords);
  if (typeof value !== 'object' || value === null) return value;
  // The names under `properties` are fields, even if they equal a keyword.
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === 'properties' && typeof part === 'object' && part !== null
        ? Object.fromEntries(Object.entries(part).map(([name, field]) => [name, defaultsInWords(field)]))
        : defaultsInWords(part),
    ]),
  ) as Json;
  if (!('default' in inner)) return inner;
  const { default: unless, description, ...rest } = inner;
  const words = `Default: \`${JSON.stringify(unless)}\`.`;
  return { ...rest, description: typeof description === 'string' ? `${description} ${words}` : words };
}

/**
 * The schema with its named parts moved to `named`, which becomes `components/schemas`: a reference counts from the root of
 * the document, so a `$defs` beside it is never found.
 */
function hoisted(schema: z.ZodType, io: 'input' | 'output', named: NamedSchemas): Json {
  const toComponents = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as Json;
  const { $defs = {}, ...rest } = jsonSchema(schema, io);
  for (const [name, part] of Object.entries($defs as Json)) {
    const moved = toComponents(defaultsInWords(part));
    if (named.has(name) && JSON.stringify(named.get(name)) !== JSON.stringify(moved))
      throw new Error(`two schemas are called ${name}`);
    named.set(name, moved);
  }
  return toComponents(defaultsInWords(rest));
}

function parameters(endpoint: Endpoint): Json[] {
  const of = (schema: z.ZodType | undefined, where: 'path' | 'query' | 'header'): Json[] => {
    if (!schema) return [];
    const { properties, required } = jsonSchema(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties ?? {}).map(([name, { description, ...schemaOfName }]) => ({
      name,
      in: where,
      required: where === 'path' || (required ?? []).includes(name),
      ...(description ? { description } : {}),
      schema: schemaOfName,
    }));
  };
  return [...of(endpoint.params, 'path'), ...of(endpoint.query, 'query'), ...of(endpoint.headers, 'header')];
}

function problemAnswers(endpoint: Endpoint): Json {
  const codes: ProblemCode[] = [
    ...(endpoint.body ? (['malformed-json', 'body-too-large', 'media-type-not-supported'] as const) : []),
    ...(endpoint.callers.includes('anyone') ? [] : (['not-authenticated', 'not-allowed'] as const)),
    ...(endpoint.callers.some((caller) => caller === 'player' || caller === 'operator')
      ? (['login-unavailable'] as const)
      : []),
    ...(endpoint.callers.some((caller) => caller === 'server' || caller === 'fleet')
      ? (['request-replayed'] as const)
      : []),
    ...endpoint.problems,
    ...always,
  ];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const status = problems[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.assign({}, ...[...byStatus].map(([status, of]) => problemAnswer(status, of))) as Json;
}

const problemAnswer = (status: number, of: readonly ProblemCode[]): Json => ({
  [String(status)]: {
    description: of.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
    ...(status === 429 ? { headers: { ...retryAfter, ...rateLimit } } : {}),
    ...(status === 503 ? { headers: retryAfter } : {}),
    content: { [problemContentType]: { schema: { $ref: '#/components/schemas/Problem' } } },
  },
});

const retryAfter = {
  'Retry-After': { description: 'Seconds until another try makes sense.', schema: { type: 'integer' } },
};

/** Other answers have it, too. */
const rateLimit = {
  RateLimit: {
    description: 'The limit that is used up, or nearest to it: `r` more calls in the next `t` seconds.',
    schema: { type: 'string' },
  },
};

/** The answer of a successful call. */
function answers(endpoint: Endpoint, named: NamedSchemas): Json {
  const types = [endpoint.answerType ?? 'text/plain'].flat();
  return {
    [String(endpoint.status)]: {
      description: 'As asked.',
      content: endpoint.answer
        ? { 'application/json': { schema: hoisted(endpoint.answer, 'output', named) } }
        : Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
    },
    ...(endpoint.nothingMore ? { '204': { description: endpoint.nothingMore } } : {}),
  };
}

/** The least role of operators, for people and for programs. */
const roleOf = (role: OperatorRole): Json => ({
  description: `Operators need the role \`${role}\`${role === 'admin' ? '' : ' or one above it'}.`,
  'x-operator-role': role,
});

function operation(name: string, endpoint: Endpoint, named: NamedSchemas): Json {
  return {
    operationId: name,
    tags: [endpoint.service],
    summary: endpoint.summary,
    ...(endpoint.role === undefined ? {} : roleOf(endpoint.role)),
    security: endpoint.callers.includes('anyone') ? [] : endpoint.callers.map((caller) => ({ [caller]: [] })),
    parameters: parameters(endpoint),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: hoisted(endpoint.body, 'input', named) } },
          },
        }
      : {}),
    responses: { ...answers(endpoint, named), ...problemAnswers(endpoint) },
  };
}

const Readiness = z
  .object({
    status: z
      .string()
      .meta({ description: '`ok` or `degraded` with 200; `not ready`, `draining` or `starting` with 503.' }),
    checks: z.record(z.string(), z.string()).optional().meta({
      description:
        'Of the edge: each service with its replicas, such as `ok (2 ready, 1 away)`. Of a service: what it requires, `ok` or what is wrong.',
    }),
  })
  .meta({ id: 'Readiness' });

/** The one call beside the table: it has no caller, and every process answers it for itself. */
function readiness(named: NamedSchemas): Json {
  const content = { 'application/json': { schema: hoisted(Readiness, 'output', named) } };
  return {
    operationId: 'readReadiness',
    tags: ['health'],
    summary: 'Read whether the edge has ready replicas of every service.',
    security: [],
    responses: {
      '200': { description: 'Ready.', content },
      ...problemAnswer(400, ['invalid-request']),
      '503': { description: 'Not ready.', content },
    },
  };
}

/** An OpenAPI document, with the fields used here. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: { readonly url: string; readonly description: string }[];
  readonly tags: { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Json>;
  readonly components: { readonly schemas: Json; readonly securitySchemes: Json };
}

/** The OpenAPI 3.1 document of the whole coordinator, derived from the table of endpoints. */
export function openApiDocument(version: string): OpenApiDocument {
  const paths = new Map<string, Json>();
  const schemas: NamedSchemas = new Map();
  hoisted(Problem, 'output', schemas);
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths.set(path, {
      ...paths.get(path),
      [endpoint.method.toLowerCase()]: operation(name, endpoint, schemas),
    });
  }
  paths.set('/health/ready', { get: readiness(schemas) });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version,
      description:
        'A matchmaking game coordinator: tickets in, fair teams on a healthy server out, results back into the ratings.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The origin that answered this document.' }],
    tags: Object.entries({ ...services, health: 'Whether the processes are ready.' }).map(
      ([name, description]) => ({
        name,
        description,
      }),
    ),
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(schemas),
      securitySchemes: Object.fromEntries(
        Object.entries(schemes).map(([name, description]) => [
          name,
          { type: 'http', scheme: 'bearer', description },
        ]),
      ),
    },
  };
}
