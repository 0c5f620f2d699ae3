import { z } from 'zod';

/** A request as the browser made it. */
export interface Made {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
}

type Json = z.core.JSONSchema.JSONSchema;

const Schema = z.custom<Json>();
const Operation = z.object({
  operationId: z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: Schema }))
    .optional(),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: Schema }) }) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
type Operation = z.infer<typeof Operation>;

/** An operation with what its path must look like. */
interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly names: number;
  readonly operation: Operation;
}

/** Files of the page, and the documents of the API. */
const beside = /^\/(dashboard(\/.*)?|docs|openapi\.json)$/;

/** Checks requests against an OpenAPI document. */
export class Documented {
  private readonly routes: readonly Route[];
  private readonly schemas: Readonly<Record<string, Json>>;

  /** @param document as `/openapi.json` answers it */
  constructor(document: unknown) {
    const { paths, components } = Document.parse(document);
    this.schemas = components.schemas;
    this.routes = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
          names: path.split('{').length,
          operation,
        })),
      )
      // `/v1/matches/export` is no match.
      .toSorted((a, b) => a.names - b.names);
  }

  /** The operation of a request; null for files of the page. @throws Error if there is none */
  operationOf({ method, url }: Made): Operation | null {
    const { pathname } = new URL(url);
    if (method === 'GET' && beside.test(pathname)) return null;
    const route = this.routes.find((each) => each.method === method && each.path.test(pathname));
    if (!route) throw new Error(`${method} ${pathname} is not in the document`);
    return route.operation;
  }

  /** What is wrong with a request by the document. */
  wrongWith(made: Made): string[] {
    const { pathname, searchParams } = new URL(made.url);
    const at = `${made.method} ${pathname}`;
    let operation: Operation | null;
    try {
      operation = this.operationOf(made);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
    if (!operation) return [];
    return [...this.wrongQuery(operation, searchParams), ...this.wrongBody(operation, made.body)].map(
      (wrong) => `${at}: ${wrong}`,
    );
  }

  /** Whether the document has an answer of this status. */
  answers(made: Made, status: number): boolean {
    return String(status) in (this.operationOf(made)?.responses ?? { '200': {}, '304': {} });
  }

  private wrongQuery({ parameters = [] }: Operation, query: URLSearchParams): string[] {
    const declared = parameters.filter((each) => each.in === 'query');
    const unknown = [...query.keys()].filter((name) => !declared.some((each) => each.name === name));
    const missing = declared.filter(({ name, required }) => required && !query.has(name));
    return [
      ...unknown.map((name) => `the query ${name} is not in the document`),
      ...missing.map(({ name }) => `the query ${name} is missing`),
      ...declared.flatMap(({ name, schema }) =>
        query.has(name)
          ? this.wrongValue(schema, asTyped(schema, query.getAll(name))).map((wrong) => `${name}: ${wrong}`)
          : [],
      ),
    ];
  }

  private wrongBody({ requestBody }: Operation, body: string | null): string[] {
    if (!requestBody) return body === null || body === '' ? [] : ['it takes no body'];
    if (body === null) return ['it lacks its body'];
    const { schema } = requestBody.content['application/json'];
    const value: unknown = JSON.parse(body);
    const known = typeof schema === 'object' ? schema.properties : undefined;
    const unknown =
      known && typeof value === 'object' && value !== null
        ? Object.keys(value).filter((name) => !(name in known))
        : [];
    return [
      ...unknown.map((name) => `the field ${name} is not in the document`),
      ...this.wrongValue(schema, value),
    ];
  }

  private wrongValue(schema: Json, value: unknown): string[] {
    const { success, error } = z.fromJSONSchema(withParts(schema, this.schemas)).safeParse(value);
    return success ? [] : [z.prettifyError(error)];
  }
}

/** A schema that finds the named parts of the document, without patterns that Zod would read as those of texts without Unicode. */
const withParts = (schema: Json, $defs: Readonly<Record<string, Json>>): Json =>
  JSON.parse(
    JSON.stringify({ ...(schema as object), $defs }, (key, value: unknown) =>
      key === 'pattern' && typeof value === 'string' && value.includes('\\p{') ? undefined : value,
    ).replaceAll('"#/components/schemas/', '"#/$defs/'),
  ) as Json;

/** What an address says, as the type that its schema names. */
function asTyped(schema: Json, values: readonly string[]): unknown {
  const [first = ''] = values;
  const types = (typeof schema === 'object' ? [schema, ...(schema.anyOf ?? [])] : []).map((each) =>
    typeof each === 'object' ? each.type : undefined,
  );
  if (types.includes('array')) return values;
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(\.\d+)?$/.test(first))
    return Number(first);
  return types.includes('boolean') && /^(true|false)$/.test(first) ? first === 'true' : first;
}
