import type { Catalogue } from './catalogue.js';
import type { Entry, Nested } from './entry.js';

type Given<Value> = Value extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Value extends Nested
    ? Message
    : Value;
type ParamsOf<E> = E extends Entry<infer Params> ? { readonly [P in keyof Params]: Given<Params[P]> } : never;

/** The parameters of every message that explains a decision to players, servers or operators, by its code. */
export type Messages = { readonly [C in keyof Catalogue]: ParamsOf<Catalogue[C]> };

export type MessageCode = keyof Messages;

export type MessageValue =
  string | number | boolean | null | readonly string[] | readonly number[] | Message | readonly Message[];

/**
 * One explanation as data: the code identifies it, the parameters hold its facts. Plain JSON. The catalogue has the English
 * sentence; a game may have sentences of its own.
 */
export interface Message {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, MessageValue>>;
}

type WithoutParams = { [C in MessageCode]: keyof Messages[C] extends never ? C : never }[MessageCode];

/** Creates a message; the compiler checks the parameters of its code. */
export function message(code: WithoutParams): Message;
export function message<C extends MessageCode>(code: C, params: Messages[C]): Message;
export function message(code: MessageCode, params: Message['params'] = {}): Message {
  return { code, params };
}

/**
 * A literal text, such as one that a release without codes stored. Joined with messages it stays a text: on the wire it is
 * omitted from the list of messages when it is the only one.
 */
export function verbatim(text: string): Message {
  return message('verbatim', { text });
}

/** An explanation: messages, or a text without any, such as one that a release without codes wrote. */
export type Explanation = string | readonly Message[];

/** An explanation, followed by these messages. */
export function withMessages(said: Explanation, ...more: readonly Message[]): Explanation {
  if (more.length === 0) return said;
  return [...(typeof said === 'string' ? [verbatim(said)] : said), ...more];
}

/** A number as texts show it: at most two decimals. */
export function shown(value: number): number {
  return Math.round(value * 100) / 100;
}
