import { endpointOf, inPlainWords, type EndpointName } from '@muster/contracts';
import { own } from '@muster/domain';
import { duration, wholeNumber } from '@muster/command-line/options/values';
import type { UncheckedRequest } from '@muster/sdk';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { worded } from './answers.js';
import { choicesOf, fieldsOf, kindOf, valueOf, type Field } from './fields.js';

/** The fields of a request by their names. */
export type Values = Readonly<Record<string, unknown>>;

/** How the fields of a call are given on the command line, by their names. */
export interface Takes<Name extends string = string, Sets = Values> {
  /** Given by their place, after those of the path. */
  readonly arguments?: readonly Name[];
  /** Of the path, given as options, which are `default` by default. */
  readonly options?: readonly Name[];
  /** May be left out, because the command has another way. */
  readonly optional?: readonly Name[];
  /** Other names of arguments and options. */
  readonly names?: Readonly<Partial<Record<Name, string>>>;
  /** What they mean, where the schemas do not say it. */
  readonly means?: Readonly<Partial<Record<Name, string>>>;
  /** Not taken. */
  readonly without?: readonly Name[];
  /** Their values for this command. */
  readonly fixed?: Partial<Sets>;
  /** Options without a value that set some. */
  readonly flags?: Readonly<Record<string, readonly [sets: Partial<Sets>, about: string]>>;
  /** Parsers instead of what the schemas say. */
  readonly parse?: Readonly<Partial<Record<Name, (text: string) => unknown>>>;
}

/** The longest list that is put together from pages. */
const longestList = 10_000;

/** Whether the answer is a page of a list. */
export const isPaged = (endpoint: EndpointName): boolean =>
  fieldsOf(endpoint).some(({ name }) => name === 'cursor');

/** The most that a call lists at once. */
export function pageOf(endpoint: EndpointName): number {
  const limit = fieldsOf(endpoint).find(({ name }) => name === 'limit');
  return [1_000, 500, 200, 100].find((size) => limit && z.safeParse(limit.schema, size).success) ?? 20;
}

/** Commander takes null for an option without a value. */
const nothing = Symbol('nothing');

/** Adds arguments and options for the fields of a call. @returns what reads them once the command runs */
export function take(command: Command, endpoint: EndpointName, takes: Takes): () => Values {
  const { fixed = {}, flags = {}, without = [], arguments: placed = [], options: named = [] } = takes;
  const all = fieldsOf(endpoint);
  const set = [fixed, ...Object.values(flags).map(([sets]) => sets)].flatMap((sets) => Object.keys(sets));
  // The id of an event is made here, unless a command has a name for it.
  const hidden = [...set, ...without, ...(own(takes.names, 'eventId') === undefined ? ['eventId'] : [])];
  const fields = all.filter(({ name }) => !hidden.includes(name));
  const byPlace = [
    ...fields.filter(({ name, place }) => place === 'params' && !named.includes(name)),
    ...placed.flatMap((name) => fields.filter((field) => field.name === name)),
  ];
  const options = fields
    .filter((field) => !byPlace.includes(field))
    .flatMap((field) => optionsOf(field, endpoint, takes).map((option) => [field.name, option] as const));
  const switches = Object.entries(flags).map(
    ([name, [sets, about]]) => [new Option(`--${name}`, about), sets] as const,
  );
  for (const field of byPlace) command.addArgument(argumentOf(field, endpoint, takes));
  for (const [, option] of options) command.addOption(option);
  for (const [option] of switches) command.addOption(option);
  return () => {
    const opts = command.opts<Values>();
    const said = switches.filter(([option]) => own(opts, option.attributeName()) === true);
    // A repeat of the call counts once.
    const eventId = all.some(({ name }) => name === 'eventId') ? `cli-${randomUUID()}` : undefined;
    const given: (readonly [name: string, value: unknown])[] = [
      ['eventId', eventId],
      ...Object.entries(fixed),
      ...byPlace.map(({ name }, i) => [name, command.processedArgs[i]] as const),
      ...options.map(([name, option]) => [name, own(opts, option.attributeName())] as const),
      ...said.flatMap(([, sets]) => Object.entries(sets)),
    ];
    const known = given.filter(([, value]) => value !== undefined);
    return Object.fromEntries(known.map(([name, value]) => [name, value === nothing ? null : value]));
  };
}

/** A request with its fields where the call has them. */
export function requestOf(endpoint: EndpointName, values: Values): UncheckedRequest {
  const of = (at: Field['place']): Values =>
    Object.fromEntries(
      fieldsOf(endpoint)
        .filter(({ name, place }) => place === at && own(values, name) !== undefined)
        .map(({ name }) => [name, own(values, name)]),
    );
  return {
    params: of('params'),
    query: of('query'),
    ...(endpointOf(endpoint).body ? { body: of('body') } : {}),
  };
}

/** The name of the option for a field. */
export function optionName(name: string, names: Takes['names']): string {
  const plain = name === 'cursor' ? 'after' : name.replace(/(?<=.)(Id|Seconds)$/, '');
  return own(names, name) ?? plain.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const meaningOf = (field: Field, { means }: Takes): string => own(means, field.name) ?? aboutOf(field);

const isNeeded = ({ name, required }: Field, { optional = [] }: Takes): boolean =>
  required && !optional.includes(name);

function argumentOf(field: Field, endpoint: EndpointName, takes: Takes): Argument {
  const name = optionName(field.name, takes.names);
  const argument = new Argument(isNeeded(field, takes) ? `<${name}>` : `[${name}]`, meaningOf(field, takes));
  const isChoice = kindOf(field.schema) === 'choice';
  return isChoice
    ? argument.choices(choicesOf(field.schema))
    : argument.argParser(parserOf(field, endpoint, takes));
}

const prose = /^(reason|message|note|why)$/;

function optionsOf(field: Field, endpoint: EndpointName, takes: Takes): Option[] {
  const name = optionName(field.name, takes.names);
  const kind = kindOf(field.schema);
  const about = meaningOf(field, takes);
  if (kind === 'flag') {
    const yes = new Option(`--${name}`, about);
    return field.fallback === undefined ? [yes, new Option(`--no-${name}`, 'the opposite')] : [yes];
  }
  const label = own({ time: 'time', number: 'n' }, field.name.endsWith('Seconds') ? 'time' : kind);
  const value = label ?? (prose.test(field.name) ? 'text' : (name.split('-').at(-1) ?? name));
  const option = new Option(`--${name} <${value}>`, about);
  if (kind === 'choice') option.choices(choicesOf(field.schema));
  else option.argParser(parserOf(field, endpoint, takes));
  if (isNeeded(field, takes) && field.place !== 'params') option.makeOptionMandatory();
  const preset = field.place === 'params' ? 'default' : field.fallback;
  if (typeof preset === 'number' || (typeof preset === 'string' && preset !== '')) option.default(preset);
  return [option];
}

type Parser = (text: string, before: unknown) => unknown;

/** Parses the text of a field, and checks it by its schema. */
function parserOf(field: Field, endpoint: EndpointName, takes: Takes): Parser {
  const { name, schema } = field;
  const parse = own(takes.parse, name);
  if (name === 'limit' && isPaged(endpoint)) return wholeNumber(1, longestList);
  return (text, before) => {
    const value = parse && !['none', 'default'].includes(text.trim()) ? parse(text) : read(field, text);
    if (value === null) return nothing;
    if (Array.isArray(value) && Array.isArray(before)) return [...before, ...value];
    return isParts(value) && isParts(before) ? { ...before, ...value } : value;
  };

  function read(of: Field, text: string): unknown {
    const value = of.name.endsWith('Seconds') ? Math.round(duration(text) / 1000) : valueIn(of, text);
    // What the URL contains as text is checked as text where the number does not fit.
    const checked = z.safeParse(schema, value);
    if (checked.success) return kindOf(schema) === 'parts' ? checked.data : value;
    if (z.safeParse(schema, text).success) return text;
    const [issue] = z.safeParse(schema, value, { error: inPlainWords }).error?.issues ?? [];
    const path = issue?.path.join('.') ?? '';
    throw new InvalidArgumentError(
      idSentence(name) ?? `${path === '' ? 'It' : path} ${issue?.message ?? 'is of another form'}.`,
    );
  }
}

function valueIn({ schema }: Field, text: string): unknown {
  try {
    const value = valueOf(schema, text, Date.now());
    if (kindOf(schema) !== 'time' || typeof value === 'number') return value;
  } catch (error) {
    throw new InvalidArgumentError(`It ${error instanceof Error ? error.message : String(error)}.`);
  }
  throw new InvalidArgumentError(
    'Give a time by ISO 8601 with its offset, such as 2027-03-01T06:00:00Z, in milliseconds since the Unix epoch, or from now on: 2h; -2h is two hours ago.',
  );
}

const isParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What fields mean whose schemas do not say it. */
const abouts: Readonly<Record<string, string>> = {
  limit: 'how many at most',
  cursor: 'those after this one: what the end of an earlier list said',
  pool: 'the rating pool',
  reason: 'the reason, which is stored',
  number: 'the number of the season',
  eventId: 'a repeat with the same id changes nothing',
};

/** Ids that Muster makes: such as this one, and the command that shows them. */
const ids: Readonly<Record<string, readonly [of: string, such: string, where: string]>> = {
  ticketId: ['a ticket', 'tkt_x7Yc0p2n', 'tickets'],
  matchId: ['a match', 'mat_x7Yc0p2n', 'matches --player PLAYER'],
  caseId: ['a case', 'cas_4fb6a88a01', 'cases'],
  boosterId: ['a booster', 'bst_4fQ2c0de', 'boosters list POOL PLAYER'],
  penaltyId: ['a penalty', 'pen_4fQ2c0de', 'penalties list PLAYER'],
  keyId: ['a key', 'key_x7Yc0p2n', 'keys list'],
  webhookId: ['a webhook', 'whk_7Yc0p2nQ', 'webhooks'],
};

/** What a field means, for the help of a command. */
function aboutOf({ name, about }: Field): string {
  const id = own(ids, name);
  if (id) return `the id of ${id[0]}, such as ${id[1]}`;
  const said = name === 'cursor' ? '' : about.replace(/\.$/, '');
  return said || (own(abouts, name) ?? `the ${worded(name)}`);
}

/** What to give in place of what is no id. */
function idSentence(name: string): string | undefined {
  const id = own(ids, name);
  return id && `Give the id of ${id[0]}, such as ${id[1]}; "muster ${id[2]}" lists them.`;
}
