import { describe, expect, it } from 'vitest';
import { endpoints, type Endpoint } from './endpoints.js';
import { openApiDocument } from './openapi.js';

type Json = Record<string, unknown>;

const document = openApiDocument('1.2.3');

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every schema within a JSON value, with its path. A field may have the name of a keyword. */
function* schemasIn(value: unknown, at: string): Generator<{ at: string; schema: Json }> {
  if (!isObject(value)) return;
  if (!Array.isArray(value)) yield { at, schema: value };
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties' && isObject(inner))
      for (const [field, schema] of Object.entries(inner)) yield* schemasIn(schema, `${at}/${field}`);
    else yield* schemasIn(inner, `${at}/${key}`);
  }
}

const schemas = [...schemasIn(document.components.schemas, '')];
const schemaOf = (name: string): Json => document.components.schemas[name] as Json;

describe('the OpenAPI document', () => {
  it('allows generated clients to omit every field that has a default', () => {
    expect(schemas.filter(({ schema }) => 'default' in schema).map(({ at }) => at)).toEqual([]);
    const ticket = schemaOf('CreateTicket');
    expect(ticket['required']).toEqual(['queue']);
    expect((ticket['properties'] as Json)['partyPasses']).toMatchObject({
      description: expect.stringContaining('Default: `[]`.'),
    });
    const required = schemaOf('Ticket')['required'] as string[];
    expect(required).toEqual(expect.arrayContaining(['ticketId', 'queue', 'state', 'seq', 'closed']));
  });

  it('lets a later release add fields to answers, and a request none that is unknown', () => {
    expect(schemaOf('Ticket')).not.toHaveProperty('additionalProperties');
    expect(schemaOf('CreateTicket')).toMatchObject({ additionalProperties: false });
  });

  it('has the licence, an origin, and a description of each tag', () => {
    expect(document.info.license.identifier).toBe('Apache-2.0');
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }]);
    const used = new Set(Object.values<Endpoint>(endpoints).map(({ service }) => service));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set([...used, 'health']));
  });

  it('lists the possible refusals of each call, also of one without parameters', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Json[]);
    const without = operations.filter(
      ({ responses }) => !Object.keys(responses as Json).some((status) => status.startsWith('4')),
    );
    expect(without).toEqual([]);
  });

  it('describes the headers that a call reads, and all its answers', () => {
    const { post } = document.paths['/v1/tickets'] as { post: { parameters: Json[] } };
    expect(post.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    );
    const { get: stream } = document.paths['/v1/tickets/{ticketId}/events'] as { get: { responses: Json } };
    expect(Object.keys(stream.responses)).toEqual(expect.arrayContaining(['200', '204']));
    const { get: dump } = document.paths['/v1/matches/export'] as {
      get: { responses: { '200': { content: Json } } };
    };
    expect(Object.keys(dump.responses['200'].content)).toEqual(['application/x-ndjson', 'text/csv']);
  });
});
