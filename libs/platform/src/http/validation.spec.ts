import {
  CreateTicket,
  ReadLeaderboard,
  RegisterServer,
  ReportResult,
  SessionResult,
  speakPlainly,
} from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidRequest } from './problem-filter.js';
import { Validation } from './validation.js';

beforeAll(() => speakPlainly());

const validated = (schema: z.ZodType, value: unknown): Promise<unknown> =>
  new Validation().transform(value, { type: 'body', schema }) as Promise<unknown>;

/** The problem's detail and the paths of its errors. */
async function refusalOf(schema: z.ZodType, json: string): Promise<[string, unknown]> {
  try {
    await validated(schema, JSON.parse(json));
  } catch (error) {
    if (error instanceof InvalidRequest) return [error.message, error.facts];
    throw error;
  }
  throw new Error('it was accepted');
}

const ids = ['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'];

describe('a request', () => {
  it.each(ids)('keeps what it says of the player %s', async (id) => {
    const json = JSON.stringify({
      eventId: 'e',
      pool: 'duel',
      teams: [[id], ['bb']],
      ranks: [1, 2],
      shares: { [id]: 0.1, bb: 1 },
      facts: { [id]: { place: 1 } },
      stats: { [id]: { [id]: 1 } },
      names: { [id]: 'Con' },
    });
    const result = (await validated(ReportResult, JSON.parse(json))) as ReportResult;
    expect(JSON.parse(JSON.stringify(result))).toEqual(JSON.parse(json));
  });

  it('keeps an object under the key constructor, and one under prototype in it', async () => {
    const body = '{"constructor":{"prototype":1}}';
    const schema = z.record(z.string(), z.record(z.string(), z.number()));
    expect(JSON.stringify(await validated(schema, JSON.parse(body)))).toBe(body);
  });

  it.each([...ids, 'other'])('with the unknown field %s is refused', async (id) => {
    const [detail] = await refusalOf(z.strictObject({ a: z.number() }), `{"a":1,"${id}":5}`);
    expect(detail).toBe(`There is no field "${id}" here; there is a.`);
    const query = Object.assign(Object.create(null) as object, { [id]: '1' });
    await expect(validated(ReadLeaderboard, query)).rejects.toThrow(`"${id}"`);
  });

  it('with the key __proto__ is refused with the path of the key, however deep it is', async () => {
    const schema = z.strictObject({ shares: z.record(z.string(), z.number()).optional() });
    expect(await refusalOf(schema, '{"shares":{"__proto__":1}}')).toEqual([
      '`shares.__proto__`: the name `__proto__` is not allowed; leave it out.',
      {
        errors: [{ path: 'shares.__proto__', message: 'the name `__proto__` is not allowed; leave it out' }],
      },
    ]);
    const deep = `${'['.repeat(20)}{"\\u005f_proto__":{}}${']'.repeat(20)}`;
    expect((await refusalOf(z.unknown(), deep))[0]).toContain('__proto__`: the name');
  });

  it('with thousands of errors is refused at once, and some of them are listed', async () => {
    const many = Array.from({ length: 6_000 }, (_, i) => `"!${i}":1`).join(',');
    const startedAt = performance.now();
    const [detail = '', facts] = await refusalOf(CreateTicket, `{"queue":"1v1","latencyMs":{${many}}}`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(detail).toMatch(/^`latencyMs\.!0`: .* \(and 5999 more, see errors\)\.$/);
    expect(facts).toMatchObject({ errors: { length: 20 } });
    const unknown = await refusalOf(CreateTicket, `{"queue":"1v1",${many}}`);
    expect(unknown[0]).toContain('"!7" and 5992 others here; there is queue');
    expect(JSON.stringify(unknown).length).toBeLessThan(2_000);
    const nested = `${'{"aaaaaaaaaaaaaaaaaaaa":'.repeat(20)}{"__proto__":1}${'}'.repeat(20)}`;
    expect(JSON.stringify(await refusalOf(z.unknown(), nested)).length).toBeLessThan(1_000);
  });

  it('that is nested deeper than 32 levels is refused, however deep it is', async () => {
    for (const levels of [33, 30_000]) {
      const deep = `{"facts":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      expect((await refusalOf(z.unknown(), deep))[0]).toBe('`facts`: is nested deeper than 32 levels.');
    }
    const enough = `{"facts":${'['.repeat(31)}${']'.repeat(31)}}`;
    await expect(validated(z.unknown(), JSON.parse(enough))).resolves.toBeDefined();
  });

  it('that a question corrects gets no full stop behind it', async () => {
    const [detail] = await refusalOf(z.strictObject({ model: z.string().optional() }), '{"modl":"x"}');
    expect(detail).toBe('There is no field "modl" here; do you mean model?');
  });
});

describe('a refusal', () => {
  it.each<[string, z.ZodType, string, string]>([
    ['of the whole request', SessionResult, '{}', 'Give either `winner` or `ranks`.'],
    [
      'of a number beyond all bounds names the nearest one, once',
      SessionResult,
      '{"ranks":[1e300,2]}',
      '`ranks.0`: must be at most 1000, not 1e+300.',
    ],
    [
      'of half a character',
      SessionResult,
      '{"winner":0,"venue":"\\ud800"}',
      '`venue`: must be text without NUL characters and unpaired surrogates.',
    ],
    [
      'of an id that the coordinator never made',
      RegisterServer,
      '{"serverId":"s","region":"eu","build":"b","host":"h.example","port":1,"slots":1,"resume":["*"]}',
      '`resume.0`: must be an id that the coordinator made: 2 to 4 small letters, _ and 8 to 64 letters, digits, _ or -, such as mat_x7Qd2mVb.',
    ],
  ])('%s', async (_says, schema, json, detail) => {
    expect(await refusalOf(schema, json)).toEqual([detail, { errors: [expect.anything()] }]);
  });
});
