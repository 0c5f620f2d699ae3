import type { BackfillMessages } from './backfill.js';
import type { BalanceMessages } from './balance.js';
import type { FormingMessages } from './forming.js';
import type { MatchMessages } from './match.js';
import type { QueueMessages } from './queue.js';
import type { RatingMessages } from './rating.js';
import type { SplitMessages } from './split.js';
import type { TicketMessages } from './ticket.js';
import type { WaitingMessages } from './waiting.js';

/** Every message that players, servers or operators are shown as an explanation: its code, and the parameters it takes. */
export interface Messages
  extends
    WaitingMessages,
    TicketMessages,
    QueueMessages,
    MatchMessages,
    FormingMessages,
    SplitMessages,
    BackfillMessages,
    BalanceMessages,
    RatingMessages {}

export type MessageCode = keyof Messages;

/** A team as a parameter: the name that its server gave it, else its index, from 0. */
export type TeamParam = string | number;

export type MessageValue =
  string | number | boolean | null | readonly string[] | readonly number[] | Message | readonly Message[];

/**
 * One explanation as data: the code says what is explained, the parameters with which facts. Plain JSON. The English sentence
 * stands in the catalogue of `@muster/contracts`; a game may have sentences of its own.
 */
export interface Message {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, MessageValue>>;
}

type WithoutParams = { [C in MessageCode]: keyof Messages[C] extends never ? C : never }[MessageCode];

/** Makes a message; the compiler checks that it has the parameters of its code. */
export function message(code: WithoutParams): Message;
export function message<C extends MessageCode>(code: C, params: Messages[C]): Message;
export function message(code: MessageCode, params: Message['params'] = {}): Message {
  return { code, params };
}

/**
 * A text as it was written, such as one that a release without codes stored. Joined with messages it stays a text: on the wire
 * it is left out of the list of messages when it is all that there is.
 */
export function verbatim(text: string): Message {
  return message('verbatim', { text });
}

/** What somebody is told: messages, or a text that has none, such as one that a release without codes wrote. */
export type Said = string | readonly Message[];

/** What somebody is told, and then these messages. */
export function saidWith(said: Said, ...more: readonly Message[]): Said {
  if (more.length === 0) return said;
  return [...(typeof said === 'string' ? [verbatim(said)] : said), ...more];
}

/** A number as texts show it: two decimals at the most. */
export function shown(value: number): number {
  return Math.round(value * 100) / 100;
}
