import type { BackfillMessages } from './backfill.js';
import type { BalanceMessages } from './balance.js';
import type { FormingMessages } from './forming.js';
import type { IntegrityMessages } from './integrity.js';
import type { MatchMessages } from './match.js';
import type { PlacementMessages } from './placement.js';
import type { QueueMessages } from './queue.js';
import type { RatingMessages } from './rating.js';
import type { SplitMessages } from './split.js';
import type { TicketMessages } from './ticket.js';
import type { WaitingMessages } from './waiting.js';

/** Every message that explains a decision to players, servers or operators: its code, and its parameters. */
export interface Messages
  extends
    WaitingMessages,
    TicketMessages,
    QueueMessages,
    MatchMessages,
    PlacementMessages,
    FormingMessages,
    SplitMessages,
    BackfillMessages,
    BalanceMessages,
    RatingMessages,
    IntegrityMessages {}

export type MessageCode = keyof Messages;

/** A team as a parameter: the name that its server gave it, else its index, from 0. */
export type TeamParam = string | number;

export type MessageValue =
  string | number | boolean | null | readonly string[] | readonly number[] | Message | readonly Message[];

/**
 * One explanation as data: the code identifies it, the parameters hold its facts. Plain JSON. The English sentence is in
 * the catalogue of `@muster/contracts`; a game may have sentences of its own.
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
