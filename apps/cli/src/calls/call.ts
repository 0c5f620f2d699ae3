import {
  endpointOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type ParamsOf,
  type QueryOf,
} from '@muster/contracts';
import { asking, type Ask } from '@muster/command-line/operator/connection';
import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { indented } from '@muster/command-line/terminal/table';
import type { CallNameOf } from '@muster/sdk';
import { Argument, Option, type Command } from 'commander';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { factsOf, isObject, tableOf, worded, type Column } from './answers.js';
import { isPaged, pageOf, requestOf, take, type Takes, type Values } from './take.js';

/** A call that an operator may make. */
export type Name = CallNameOf<'operator' | 'anyone'>;

type Fields<T> = [T] extends [never] ? object : T;
/** All fields of a request, wherever they are sent. */
export type Given<N extends EndpointName> = Fields<ParamsOf<N>> & Fields<QueryOf<N>> & Fields<BodyOf<N>>;
/** How its fields are given. */
type TakesOf<N extends EndpointName> = Takes<keyof Given<N> & string, Given<N>>;

/** What a command says beside its fields and its answer. */
interface Said {
  /** By default the summary of the endpoint. */
  readonly about?: string;
  readonly help?: string;
  /** Options, and last arguments, beside the fields of the call. */
  readonly extra?: readonly (Option | Argument)[];
}

/** A list of an answer as a table: its name, and the columns. Other fields of the answer stand above. */
type TableOf<A> = {
  readonly [K in keyof A & string]?: A[K] extends readonly (infer Item extends object)[]
    ? readonly Column<Item>[]
    : never;
};
type AnyTable = Readonly<Record<string, readonly Column<object>[] | undefined>>;

/** For people: by default all fields of the answer. */
type Told = string | readonly string[];
interface Shows<A, G> {
  readonly table?: TableOf<A>;
  /** Instead of a table. */
  readonly says?: (answer: A, context: Context<G>) => Told | Promise<Told>;
  readonly exitCode?: (answer: A) => number;
}
interface Context<G> {
  readonly given: G;
  readonly ink: Ink;
  readonly ask: Ask;
  /** The values of `extra`. */
  readonly extra: Values;
}

/** The same for any call: within this file names and types are not known. */
interface AnyTerms extends Said, Takes {
  readonly table?: AnyTable;
  says?(answer: unknown, context: Context<Values>): Told | Promise<Told>;
  exitCode?(answer: unknown): number;
}

type By<N extends Name, A> = (ask: Ask, given: Given<N>, extra: Values) => Promise<A>;
type AnyBy = (ask: Ask, values: Values, extra: Values) => Promise<unknown>;

/** A command of a table. */
export interface Row {
  /** Such as `tickets list`. */
  readonly words: string;
  readonly example: string;
  define(command: Command, defaultDataDir: string): void;
}

/** A command that makes a call. Arguments and columns are checked against its types. */
export function call<N extends Name, A extends AnswerOf<N> = AnswerOf<N>>(
  words: string,
  endpoint: N,
  example: string,
  terms?: Said & TakesOf<N> & Shows<NoInfer<A>, Given<N>>,
): Row;
export function call(words: string, endpoint: Name, example: string, terms: AnyTerms = {}): Row {
  const one = (ask: Ask, values: Values): Promise<unknown> =>
    ask((operator) => operator.send(endpoint, requestOf(endpoint, values)));
  const [list] = Object.keys(terms.table ?? {});
  const by = (ask: Ask, values: Values): Promise<unknown> =>
    list !== undefined && isPaged(endpoint)
      ? allOf(list, values, endpoint, (each) => one(ask, each))
      : one(ask, values);
  return rowOf(words, endpoint, example, by, terms);
}

/** A command with the fields of a call that makes it in its own way, or several calls. */
export function composed<N extends Name, A>(
  words: string,
  endpoint: N,
  example: string,
  by: By<N, A>,
  terms: Said & TakesOf<N> & Shows<NoInfer<A>, Given<N>>,
): Row;
export function composed(words: string, endpoint: Name, example: string, by: AnyBy, terms: AnyTerms): Row {
  return rowOf(words, endpoint, example, by, terms);
}

function rowOf(words: string, endpoint: Name, example: string, by: AnyBy, terms: AnyTerms): Row {
  const { summary, answer: isJson } = endpointOf(endpoint);
  const define = (command: Command, defaultDataDir: string): void => {
    command.description(terms.about ?? summary);
    const given = take(command, endpoint, terms);
    const { extra = [] } = terms;
    for (const each of extra)
      if (each instanceof Option) command.addOption(each);
      else command.addArgument(each);
    operatorOptions(
      command,
      defaultDataDir,
      isJson ? undefined : 'no effect: the output is that of the call',
    );
    command.addHelpText('after', helpOf(`${words} ${example}`, terms)).action(async () => {
      const options = command.opts<OperatorOptions & Values>();
      const ask = asking(options, process.env);
      const values = given();
      const last = extra.flatMap((each) => (each instanceof Argument ? each.name() : []));
      const more = {
        ...options,
        ...Object.fromEntries(last.map((name, i) => [name, command.processedArgs.at(i - last.length)])),
      };
      const answer = await by(ask, values, more);
      // A text that is no JSON, such as an export.
      if (answer instanceof Response)
        return answer.body
          ? pipeline(Readable.fromWeb(answer.body), process.stdout, { end: false })
          : undefined;
      const ink = inkFor(process.stdout, process.env);
      const context = { given: values, ink, ask, extra: more };
      const lines = options.json ? [] : await linesOf(answer, context, terms);
      print(options.json, objectOf(answer), () => lines);
      if (terms.exitCode) process.exitCode = terms.exitCode(answer);
    });
  };
  return { words, example, define };
}

const helpOf = (example: string, { help }: Said): string =>
  `\n${help === undefined ? '' : `${help.trim()}\n\n`}Example: muster ${example.trim()}`;

async function linesOf(
  answer: unknown,
  context: Context<Values>,
  terms: AnyTerms,
): Promise<readonly string[]> {
  const { ink } = context;
  if (terms.says) return [await terms.says(answer, context)].flat();
  const [[list, columns] = []] = Object.entries(terms.table ?? {});
  if (list === undefined || columns === undefined) return factsOf(objectOf(answer), ink);
  const items = itemsOf(answer, list);
  const next = nextOf(answer);
  const others = Object.entries(objectOf(answer)).filter(([name]) => name !== list && name !== 'next');
  const facts = factsOf(Object.fromEntries(others), ink);
  const rows = items.length === 0 ? ['There are none.'] : tableOf(items, columns, ink);
  return [
    ...(facts.length === 0 ? rows : [...facts, '', ink.bold(worded(list)), ...indented(rows)]),
    ...(next === undefined ? [] : [ink.dim(`More follow: add --after ${next}, or give a larger --limit.`)]),
  ];
}

/** Pages of a list as one, as long as was asked for. An item that is on two pages is there once. */
async function allOf(
  of: string,
  values: Values,
  endpoint: EndpointName,
  one: (values: Values) => Promise<unknown>,
): Promise<unknown> {
  const limit = Number(values['limit']);
  const found = new Map<string, object>();
  for (let cursor = values['cursor']; ;) {
    const page = await one({ ...values, cursor, limit: Math.min(pageOf(endpoint), limit - found.size) });
    for (const item of itemsOf(page, of)) found.set(JSON.stringify(Object.values(item)[0]), item);
    cursor = nextOf(page);
    if (cursor === undefined || found.size >= limit) return { ...objectOf(page), [of]: [...found.values()] };
  }
}

const objectOf = (answer: unknown): object => (isObject(answer) ? answer : {});

function itemsOf(answer: unknown, of: string): object[] {
  const items: unknown = Reflect.get(objectOf(answer), of);
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** Where the next page begins. */
function nextOf(answer: unknown): string | undefined {
  const next: unknown = Reflect.get(objectOf(answer), 'next');
  return typeof next === 'string' ? next : undefined;
}
