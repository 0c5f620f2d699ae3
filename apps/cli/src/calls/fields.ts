import { endpointOf, EpochMs, Moment, type EndpointName } from '@muster/contracts';
import { z } from 'zod';

type Schema = z.core.$ZodType;

/** A field of a request. */
export interface Field {
  readonly name: string;
  readonly place: 'params' | 'query' | 'body';
  readonly schema: Schema;
  readonly required: boolean;
  readonly about: string;
  /** Undefined without one. */
  readonly fallback: unknown;
}

/** The fields of a call, those of its path first. */
export function fieldsOf(endpoint: EndpointName): Field[] {
  const { params, query, body } = endpointOf(endpoint);
  return Object.entries({ params, query, body } as const).flatMap(([place, schema]) =>
    schema instanceof z.core.$ZodObject
      ? Object.entries(schema._zod.def.shape).map(([name, each]) => fieldOf(name, placeOf(place), each))
      : [],
  );
}

const placeOf = (place: string): Field['place'] => (place === 'params' || place === 'query' ? place : 'body');

function fieldOf(name: string, place: Field['place'], schema: Schema): Field {
  return {
    name,
    place,
    schema,
    required: place === 'params' || schema._zod.optin === undefined,
    about: described(schema),
    fallback: schema instanceof z.core.$ZodDefault ? schema._zod.def.defaultValue : undefined,
  };
}

/** The nearest description: that of a field, or of the value in it. */
function described(schema: Schema): string {
  const { description } = z.globalRegistry.get(schema) ?? {};
  return description ?? (isWrapper(schema) ? described(schema._zod.def.innerType) : '');
}

/** Says that a value may be absent. */
type Wrapper = z.core.$ZodOptional | z.core.$ZodDefault | z.core.$ZodNullable;
const isWrapper = (schema: Schema): schema is Wrapper =>
  [z.core.$ZodOptional, z.core.$ZodDefault, z.core.$ZodNullable].some((kind) => schema instanceof kind);

/** Without what says that a value may be absent, and without the reading of texts. */
function bare(schema: Schema): Schema {
  if (isWrapper(schema)) return bare(schema._zod.def.innerType);
  if (!(schema instanceof z.core.$ZodPipe)) return schema;
  const { in: before, out } = schema._zod.def;
  return bare(before instanceof z.core.$ZodTransform ? out : before);
}

const mayBeNull = (schema: Schema): boolean =>
  schema instanceof z.core.$ZodNullable || (isWrapper(schema) && mayBeNull(schema._zod.def.innerType));

const isTime = (schema: Schema): boolean =>
  [EpochMs, Moment].some((time) => time._zod.def === bare(schema)._zod.def);

/** How a field is given: `flag` without a value, `time` as a date or relative to now. */
export type Kind = 'flag' | 'time' | 'number' | 'choice' | 'list' | 'parts' | 'text';

export function kindOf(schema: Schema): Kind {
  const inner = bare(schema);
  if (isTime(inner)) return 'time';
  if (inner instanceof z.core.$ZodBoolean) return 'flag';
  if (inner instanceof z.core.$ZodNumber) return 'number';
  if (inner instanceof z.core.$ZodEnum) return 'choice';
  if (inner instanceof z.core.$ZodArray) return 'list';
  return inner instanceof z.core.$ZodObject || inner instanceof z.core.$ZodRecord ? 'parts' : 'text';
}

/** The values of a choice. */
export function choicesOf(schema: Schema): string[] {
  const inner = bare(schema);
  return inner instanceof z.core.$ZodEnum ? Object.values(inner._zod.def.entries).map(String) : [];
}

/** Stand for null, or an empty list. */
const nothing = new Set(['none', 'default']);
/** Stand for rules that are all by default. */
const byDefault = new Set(['on', 'watch']);

/** The value that a text has for a schema. A text that has none is returned, and refused when it is checked. */
export function valueOf(schema: Schema, text: string, now: number): unknown {
  const word = text.trim();
  const inner = bare(schema);
  if (nothing.has(word) && mayBeNull(schema)) return null;
  if (isTime(inner)) return timeOf(word, now);
  if (inner instanceof z.core.$ZodNumber)
    return word !== '' && Number.isFinite(Number(word)) ? Number(word) : text;
  if (inner instanceof z.core.$ZodEnum) {
    const begins = choicesOf(inner).filter((choice) => choice.startsWith(word));
    return begins.includes(word) || begins.length !== 1 ? word : begins[0];
  }
  if (inner instanceof z.core.$ZodArray) {
    if (nothing.has(word)) return [];
    const { element } = inner._zod.def;
    const each = element instanceof z.core.$ZodObject ? inOrder(element, '=', now) : null;
    return word
      .split(',')
      .map((part) => (each ?? ((one: string) => valueOf(element, one, now)))(part.trim()));
  }
  if (inner instanceof z.core.$ZodObject) return byDefault.has(word) ? {} : objectOf(inner, word, now);
  if (inner instanceof z.core.$ZodRecord) return recordOf(inner, partsOf(word), now);
  if (inner instanceof z.core.$ZodUnion && word !== '' && Number.isFinite(Number(word))) return Number(word);
  return text;
}

/** A time by ISO 8601 or in milliseconds, or from now on: `2h`; `-2h` was two hours ago. */
function timeOf(word: string, now: number): unknown {
  const [, sign = '+', amount, unit = ''] = /^([+-]?)(\d+(?:\.\d+)?)(s|m|h|d)$/.exec(word) ?? [];
  if (amount === undefined) return Moment.safeParse(word).data ?? word;
  const ms =
    Number(amount) * { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 's' | 'm' | 'h' | 'd'];
  return Math.round(sign === '-' ? now - ms : now + ms);
}

type Part = readonly [name: string, value: string];

/** The parts of `name=value, name=value`. */
function partsOf(text: string): Part[] {
  return text.split(',').map((part) => {
    const [name = '', ...value] = part.split('=').map((each) => each.trim());
    return [name, value.join('=')];
  });
}

/** An object of `name=value, name=value`, where a part of a name will do: `after=30` is `afterDays`. */
function objectOf({ _zod: { def } }: z.core.$ZodObject, text: string, now: number): object {
  const fields = Object.entries(def.shape);
  const record = fields.find(([, schema]) => bare(schema) instanceof z.core.$ZodRecord);
  const others: Part[] = [];
  const known = partsOf(text).flatMap(([name, value]) => {
    // Where any name is allowed, part of a name would be ambiguous.
    const field = fields.find(([each]) => (record ? each === name : isNamed(each, name)));
    if (field === undefined) others.push([name, value]);
    return field === undefined ? [] : [[field[0], partOf(field[1], value, now)] as const];
  });
  if (others.length > 0 && record === undefined)
    throw new Error(`has no part "${others[0]?.[0] ?? ''}", but ${fields.map(([name]) => name).join(', ')}`);
  const rest =
    record && others.length > 0 ? [[record[0], recordOf(bare(record[1]), others, now)] as const] : [];
  return Object.fromEntries([...known, ...rest]);
}

function isNamed(field: string, name: string): boolean {
  if (name.length < 3) return field === name;
  return field.startsWith(name) || field.toLowerCase().endsWith(name.toLowerCase());
}

const recordOf = (record: Schema, parts: readonly Part[], now: number): object =>
  Object.fromEntries(
    parts.map(([name, value]) => [
      name,
      record instanceof z.core.$ZodRecord ? partOf(record._zod.def.valueType, value, now) : value,
    ]),
  );

/** A value among others; an object has its fields in order: `Diamond:0.02`. */
function partOf(schema: Schema, text: string, now: number): unknown {
  const inner = bare(schema);
  return inner instanceof z.core.$ZodObject ? inOrder(inner, ':', now)(text) : valueOf(schema, text, now);
}

function inOrder({ _zod: { def } }: z.core.$ZodObject, separator: string, now: number) {
  return (text: string): object => {
    const values = text.split(separator).map((each) => each.trim());
    const fields = Object.entries(def.shape);
    if (values.length > fields.length)
      throw new Error(`has more than ${fields.map(([name]) => name).join(separator)}`);
    return Object.fromEntries(
      fields.flatMap(([name, schema], i) => {
        const value = values[i] ?? '';
        if (value !== '') return [[name, valueOf(schema, value, now)]];
        return mayBeNull(schema) ? [[name, null]] : [];
      }),
    );
  };
}
