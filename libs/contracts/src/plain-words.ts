import { must, noField, shown } from '@muster/domain/schemas';
import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Replaces zod's default messages by {@link inPlainWords} in this whole process. */
export function speakPlainly(): void {
  z.config({ customError: inPlainWords });
}

/** The actual and the expected value, worded by `must`: never in the words of the schema library. */
export function inPlainWords(issue: Issue): string {
  const { input } = issue;
  const message = (right: string): string => must(right).error({ input });
  switch (issue.code) {
    case 'invalid_type':
      return message(kinds.get(issue.expected) ?? 'of another kind');
    case 'invalid_value':
      return message(oneOf(issue.values.map(shown)));
    case 'too_small':
    case 'too_big':
      return message(sizeOf(issue));
    case 'not_multiple_of':
      return message(`a multiple of ${issue.divisor}`);
    case 'invalid_format':
      return message(formatOf(issue));
    case 'unrecognized_keys':
      return noField(issue.keys, fieldsOf(issue.inst));
    case 'invalid_key':
      return `the name ${shown(input)} here ${textOf(issue.issues)}`;
    case 'invalid_element':
      return textOf(issue.issues);
    case 'invalid_union':
      return anyOf(issue);
    default:
      return 'makes no sense here';
  }
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['nan', 'not a number'],
  ['int', 'a whole number'],
  ['bigint', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['set', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['map', 'an object'],
  ['null', 'null'],
  ['undefined', 'left out'],
  ['never', 'left out'],
  ['date', 'a date'],
]);

const formats: ReadonlyMap<string, string> = new Map([
  ['url', 'a URL'],
  ['email', 'an e-mail address'],
  ['uuid', 'a UUID'],
  ['jwt', 'a JSON Web Token'],
  ['datetime', 'a date and time of ISO 8601'],
  ['date', 'a date of ISO 8601'],
]);

function formatOf({ format, pattern }: Extract<Issue, { code: 'invalid_format' }>): string {
  return formats.get(format) ?? (pattern === undefined ? 'of another form' : `text of the form ${pattern}`);
}

function oneOf(values: readonly string[]): string {
  const [only = 'left out'] = values;
  return values.length < 2 ? only : `one of ${values.join(', ')}`;
}

type Sized = Extract<Issue, { code: 'too_small' | 'too_big' }>;

function sizeOf(issue: Sized): string {
  const { origin, inclusive = true, exact = false } = issue;
  const small = issue.code === 'too_small';
  const end = small ? issue.minimum : issue.maximum;
  const bound = small ? (inclusive ? 'at least' : 'more than') : inclusive ? 'at most' : 'less than';
  const unit = units.get(origin);
  if (unit === undefined) return `${bound} ${end}`;
  return `${unit.kind} of ${exact ? '' : `${bound} `}${end} ${unit.of}`;
}

const units: ReadonlyMap<string, { readonly kind: string; readonly of: string }> = new Map([
  ['string', { kind: 'text', of: 'characters' }],
  ['array', { kind: 'a list', of: 'entries' }],
  ['set', { kind: 'a list', of: 'entries' }],
  ['object', { kind: 'an object', of: 'fields' }],
  ['map', { kind: 'an object', of: 'fields' }],
]);

function fieldsOf(schema: unknown): string[] {
  return schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

const textOf = (issues: readonly { readonly message: string }[]): string =>
  issues[0]?.message ?? 'makes no sense here';

/** The expected value for each member of a union. */
function anyOf(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const { discriminator, options } = issue as { discriminator?: string; options?: readonly unknown[] };
  if (discriminator !== undefined && options)
    return must(oneOf(options.map(shown))).error({ input: fieldOf(issue.input, discriminator) });
  const ways = [...new Set(issue.errors.flatMap((errors) => errors[0]?.message ?? []))];
  return ways.join(', or ') || 'makes no sense here';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
