import { endpoints, problems, type Endpoint } from '@muster/contracts';
import { endpointKey } from '@muster/platform';
import { RequestMethod } from '@nestjs/common';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import 'reflect-metadata';
import { beforeAll, describe, expect, it } from 'vitest';
import { register } from '../support/game-server.js';
import { ask, jsonOf, problemOf, type Ask } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Json;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { content: Record<string, { schema?: Json }> };
  readonly responses: Record<string, { description?: string; content?: Record<string, { schema?: Json }> }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Json; securitySchemes: Record<string, { type: string; scheme: string }> };
}

const table = Object.entries<Endpoint>(endpoints);

/** Other files use the same system: these calls affect only this pool. */
const pool = 'openapi';

let stack: Stack;
let document: Document;

beforeAll(async () => {
  stack = await sharedStack();
  await stack.operator.createPool({ name: pool });
  document = jsonOf<Document>(await ask(stack.url, '/openapi.json'));
});

const operations = (): { path: string; method: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

function operationOf(name: string): Operation {
  const found = operations().find((one) => one.operation.operationId === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found.operation;
}

/** Every object of a JSON value, with its path. */
function* objectsOf(value: unknown, at = '#'): Generator<{ at: string; object: Json }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { at, object: value as Json };
  for (const [key, inner] of Object.entries(value)) yield* objectsOf(inner, `${at}/${key}`);
}

function resolve(ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as Json)[key] : undefined),
      document,
    );
}

describe('GET /openapi.json', () => {
  it('is OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).not.toBe('');
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(Object.keys(document.paths).every((path) => path.startsWith('/'))).toBe(true);
    for (const { type, scheme } of Object.values(document.components.securitySchemes)) {
      expect({ type, scheme }).toEqual({ type: 'http', scheme: 'bearer' });
    }
  });

  it('has exactly the calls of the table', () => {
    const said = operations().map(
      ({ path, method, operation }) => `${method} ${path} ${operation.operationId}`,
    );
    const expected = table.map(
      ([name, { method, path }]) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${name}`,
    );
    // Each process answers for itself: no call of the table.
    expected.push('get /health/ready readReadiness');
    expect(said.toSorted()).toEqual(expected.toSorted());
    expect(new Set(operations().map(({ operation }) => operation.operationId)).size).toBe(expected.length);
  });

  it('resolves every reference', () => {
    const refs = [...objectsOf(document)].filter(({ object }) => typeof object['$ref'] === 'string');
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.filter(({ object }) => resolve(String(object['$ref'])) === undefined)).toEqual([]);
  });

  it.each(table)('declares the parameters of %s, each once', (name, { path }) => {
    const parameters = operationOf(name).parameters ?? [];
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const wanted = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
    expect(inPath.map((parameter) => parameter.name).toSorted()).toEqual(wanted.toSorted());
    expect(inPath.every((parameter) => parameter.required)).toBe(true);
    expect(parameters.every((parameter) => parameter.schema !== undefined)).toBe(true);
    expect(new Set(parameters.map((p) => `${p.in} ${p.name}`)).size).toBe(parameters.length);
  });

  it.each(table)('declares request, answers and problems of %s', (name, endpoint) => {
    const { summary, requestBody, responses, security } = operationOf(name);
    expect(summary).not.toBe('');
    expect(requestBody !== undefined).toBe(endpoint.body !== undefined);
    const contents = [
      requestBody?.content ?? {},
      ...Object.values(responses).map((one) => one.content ?? {}),
    ];
    expect(contents.flatMap(Object.values).every(({ schema }) => schema !== undefined)).toBe(true);
    for (const [status, { description, content = {} }] of Object.entries(responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(description).toBeTruthy();
      if (Number(status) >= 400) expect(Object.keys(content)).toEqual(['application/problem+json']);
    }
    const promised = [endpoint.status, ...endpoint.problems.map((code) => problems[code].status)].map(String);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(promised));
    const schemes = security.flatMap((one) => Object.keys(one));
    expect(schemes).toEqual(endpoint.callers.includes('anyone') ? [] : [...endpoint.callers]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(schemes));
  });

  it('uses only the types of JSON Schema', () => {
    const known = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'http'];
    const strange = [...objectsOf(document)].filter(
      ({ at, object }) =>
        typeof object['type'] === 'string' && !at.endsWith('/properties') && !known.includes(object['type']),
    );
    expect(strange).toEqual([]);
  });
});

describe('GET /docs', () => {
  it('has a page for readers; / leads to the dashboard', async () => {
    const page = await ask(stack.url, '/docs');
    const there =
      page.status >= 300 && page.status < 400 ? await ask(stack.url, page.headers.location ?? '') : page;
    expect(there.status).toBe(200);
    expect(there.headers['content-type']).toMatch(/^text\/html/);
    expect((await ask(stack.url, '/')).headers.location).toBe('/dashboard');
  });
});

describe('the table of calls', () => {
  it('has exactly the routes of the services', async () => {
    const routes: string[] = [];
    for (const service of ['queue', 'assignment', 'allocator', 'rating']) {
      const app = join(process.cwd(), 'apps', service);
      const controllers = readdirSync(join(app, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.controller.ts'))
        .map((name) => join(app, 'src', name));
      for (const file of controllers) {
        const module = (await import(file)) as Json;
        for (const controller of Object.values(module)) {
          if (typeof controller !== 'function' || Reflect.getMetadata('path', controller) === undefined)
            continue;
          const prototype = controller.prototype as Json;
          for (const name of Object.getOwnPropertyNames(prototype).filter((own) => own !== 'constructor')) {
            const handler = prototype[name];
            if (typeof handler !== 'function' || Reflect.getMetadata('path', handler) === undefined) continue;
            const method = RequestMethod[Reflect.getMetadata('method', handler) as RequestMethod];
            const path = String(Reflect.getMetadata('path', handler));
            routes.push(`${service} ${method} ${path} ${String(Reflect.getMetadata(endpointKey, handler))}`);
          }
        }
      }
    }
    const expected = table.map(([name, { service, method, path }]) => `${service} ${method} ${path} ${name}`);
    expect(routes.toSorted()).toEqual(expected.toSorted());
  });

  it.each(table)('%s answers all allowed callers', async (_, { method, path, callers, body }) => {
    const { serverToken } = await register(stack, { serverId: 'openapi-server', build: 'openapi' });
    const tokens: Record<string, string> = {
      player: await stack.token('openapi-player'),
      server: serverToken,
      fleet: stack.run.serverKey,
      operator: stack.run.operatorKey,
    };
    const values: Record<string, string> = {
      ticketId: 'tkt_not-there-at-all',
      queue: 'pairs',
      serverId: 'openapi-server',
      seq: '1',
      number: '1',
      sessionId: 'ses_not-there-at-all',
      backfillId: 'bfl_not-there-at-all',
      matchId: 'mat_not-there-at-all',
      partyId: 'pty_not-there-at-all',
      penaltyId: 'pen_not-there-at-all',
      jobQueue: 'conduct',
      jobId: 'not-there-at-all',
      boosterId: 'bst_not-there-at-all',
      caseId: 'case_not-there-at-all',
      keyId: 'key_not-there-at-all',
      webhookId: 'whk_not-there-at-all',
      kind: 'export',
      pool,
      playerId: 'openapi-player',
    };
    const at = path.replaceAll(/:(\w+)/g, (_match, name: string) => values[name] ?? '');
    // Neither a long poll nor a stream: a position ahead of the stream is refused.
    const queries: Record<string, string> = {
      '/v1/servers/:serverId/commands': '?waitSeconds=0',
      '/v1/events': '?after=999999999999',
    };
    const query = queries[path] ?? '';
    for (const caller of callers) {
      const options: Ask = { method, token: tokens[caller], ...(body ? { body: {} } : {}) };
      const answer = await ask(stack.url, at + query, options);
      const refused = answer.status < 400 ? null : problemOf(answer);
      expect(answer.status).toBeLessThan(500);
      expect(['not-found', 'not-authenticated', 'not-allowed', 'method-not-allowed']).not.toContain(
        refused?.code,
      );
    }
  });
});
