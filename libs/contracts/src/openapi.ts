import { z } from 'zod';
import { endpoints, type Endpoint } from './endpoints.js';
import { Problem, problemContentType, problems, type ProblemCode } from './problems.js';

type Json = Record<string, unknown>;
/** Parts of `components/schemas` by their names. */
type NamedSchemas = Map<string, Json>;

const schemes: Record<string, string> = {
  player: 'A JWT (EdDSA) from the game’s login; its `sub` is the player.',
  server: 'The `serverToken` that registering answered.',
  fleet: 'The server key.',
  operator: 'The operator key.',
};

/** Problems that any call may meet. */
const always: readonly ProblemCode[] = ['internal-error', 'store-unavailable'];

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  });
  return rest;
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
    const moved = toComponents(part);
    if (named.has(name) && JSON.stringify(named.get(name)) !== JSON.stringify(moved))
      throw new Error(`two schemas are called ${name}`);
    named.set(name, moved);
  }
  return toComponents(rest);
}

function parameters(endpoint: Endpoint): Json[] {
  const of = (schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] => {
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
  return [...of(endpoint.params, 'path'), ...of(endpoint.query, 'query')];
}

function problemAnswers(endpoint: Endpoint): Json {
  const codes: ProblemCode[] = [
    ...(endpoint.body || endpoint.query || endpoint.params ? (['invalid-request'] as const) : []),
    ...(endpoint.body ? (['malformed-json', 'body-too-large', 'media-type-not-supported'] as const) : []),
    ...(endpoint.callers.includes('anyone') ? [] : (['not-authenticated', 'not-allowed'] as const)),
    ...endpoint.problems,
    ...always,
  ];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const status = problems[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      String(status),
      {
        description: of.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
        content: { [problemContentType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function operation(name: string, endpoint: Endpoint, named: NamedSchemas): Json {
  return {
    operationId: name,
    tags: [endpoint.service],
    summary: endpoint.summary,
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
    responses: {
      [String(endpoint.status)]: {
        description: 'As asked.',
        content: endpoint.answer
          ? { 'application/json': { schema: hoisted(endpoint.answer, 'output', named) } }
          : { [endpoint.answerType ?? 'text/plain']: { schema: { type: 'string' } } },
      },
      ...problemAnswers(endpoint),
    },
  };
}

/** An OpenAPI document, as far as we say its shape. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Record<string, Json>;
  readonly components: { readonly schemas: Json; readonly securitySchemes: Json };
}

/** The OpenAPI 3.1 document of the whole coordinator, made from the table of endpoints. */
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
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version,
      description:
        'A matchmaking game coordinator: tickets in, fair teams on a healthy server out, results back into the ratings.',
    },
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
