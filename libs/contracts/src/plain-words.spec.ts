import { beforeAll, describe, expect, it } from 'vitest';
import { flawsWithin } from '@muster/domain/schemas';
import { z } from 'zod';
import { endpoints } from './endpoints.js';
import type { Endpoint } from './endpoints/endpoint.js';
import { speakPlainly } from './plain-words.js';

beforeAll(() => speakPlainly());

/** Values that are wrong almost everywhere, each in its own way. */
const wrongs: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  0.5,
  1e300,
  NaN,
  '',
  'x',
  'a b\0'.repeat(600),
  [],
  [null],
  Array.from({ length: 300 }, (_, i) => i),
  {},
  { 'no such field': 1 },
];

/** Wrong values for a schema: as a whole, and at every field, entry and name within. */
function wrongFor(schema: unknown, depth = 4): unknown[] {
  if (depth === 0 || !(schema instanceof z.core.$ZodType)) return [...wrongs];
  if (schema instanceof z.core.$ZodObject) {
    const fields = Object.entries(schema._zod.def.shape);
    return [
      ...wrongs,
      ...fields.flatMap(([name, of]) => wrongFor(of, depth - 1).map((wrong) => ({ [name]: wrong }))),
    ];
  }
  if (schema instanceof z.core.$ZodArray)
    return [...wrongs, ...wrongFor(schema._zod.def.element, depth - 1).map((wrong) => [wrong])];
  if (schema instanceof z.core.$ZodRecord)
    return [...wrongs, ...wrongFor(schema._zod.def.valueType, depth - 1).map((wrong) => ({ name: wrong }))];
  if (schema instanceof z.core.$ZodUnion)
    return schema._zod.def.options.flatMap((of) => wrongFor(of, depth - 1));
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodPrefault
  )
    return wrongFor(schema._zod.def.innerType, depth);
  return [...wrongs];
}

/** zod's default messages. */
const libraryWords =
  /\b(invalid (input|string|option|key|element|format|type|enum)|expected|received|too (small|big)|unrecognized|NaN|undefined|>=|<=)\b|[<>]=?\d/i;

const parts = Object.entries(endpoints).flatMap(([name, endpoint]: [string, Endpoint]) =>
  (['body', 'query', 'params', 'headers'] as const).flatMap((part) => {
    const schema = endpoint[part];
    return schema ? [[`${part} of ${name}`, schema] as const] : [];
  }),
);

describe("messages about invalid requests never use the schema library's wording", () => {
  it.each(parts)('%s', (_says, schema) => {
    const heard = new Set<string>();
    for (const wrong of wrongFor(schema)) {
      const { error } = schema.safeParse(wrong);
      for (const { message } of flawsWithin(error?.issues ?? [])) heard.add(message);
    }
    expect([...heard].filter((message) => libraryWords.test(message) || message.trim() === '')).toEqual([]);
  });
});

describe('plain words', () => {
  const message = (schema: z.ZodType, value: unknown): string | undefined =>
    schema.safeParse(value).error?.issues[0]?.message;

  it.each<[string, z.ZodType, unknown, string]>([
    [
      'a field that there is not',
      z.strictObject({ queue: z.string(), build: z.string() }),
      { queue: 'q', build: 'b', zone: 1 },
      'there is no field "zone" here; there is queue, build',
    ],
    [
      'one that is near',
      z.strictObject({ queue: z.string() }),
      { queue: 'q', queu: 1 },
      'there is no field "queu" here; do you mean queue?',
    ],
    ['what is missing', z.object({ queue: z.string() }), {}, 'is missing; it must be text'],
    ['another kind', z.boolean(), 'yes', 'must be true or false, not "yes"'],
    ['a number from a query', z.coerce.number(), 'many', 'must be a number'],
    ['too much', z.number().min(1).max(30), 99, 'must be at most 30, not 99'],
    ['too little', z.number().min(1), 0, 'must be at least 1, not 0'],
    ['above an end', z.number().gt(0), 0, 'must be more than 0, not 0'],
    ['a whole number', z.int(), 1.5, 'must be a whole number, not 1.5'],
    ['short text', z.string().min(3), 'ab', 'must be text of at least 3 characters, not "ab"'],
    [
      'long lists',
      z.array(z.string()).max(1),
      ['a', 'b'],
      'must be a list of at most 1 entries, not a list of 2',
    ],
    ['one of some', z.enum(['fast', 'slow']), 'quick', 'must be one of "fast", "slow", not "quick"'],
    ['just that', z.literal(true), 1, 'must be true, not 1'],
    [
      'a name',
      z.record(z.string().regex(/^a/, 'must begin with a'), z.number()),
      { b: 1 },
      'the name "b" here must begin with a',
    ],
    ['one or the other', z.union([z.string(), z.null()]), 5, 'must be text, not 5, or must be null, not 5'],
    [
      'a kind of object',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
      { kind: 'b' },
      'must be "a", not "b"',
    ],
    ['an address', z.url(), 'nowhere', 'must be a URL, not "nowhere"'],
  ])('%s', (_says, schema, value, words) => {
    expect(message(schema, value)).toBe(words);
  });
});
