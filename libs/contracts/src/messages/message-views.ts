import { catalogue, own, verbatim, type Message, type Explanation } from '@muster/domain';
import { z } from 'zod';
import { parseTemplate, render, type Template } from './template.js';

/** An explanation as clients receive it. */
export const MessageView = z
  .object({
    code: z.string().meta({ description: 'What is explained; docs/messages.md lists all codes.' }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The facts, by name; some are messages themselves.' }),
    text: z.string().meta({ description: 'The same in English.' }),
  })
  .meta({ id: 'Message' });
export type MessageView = z.infer<typeof MessageView>;

/** The messages of a text, one per sentence; omitted for a text that an earlier release stored. */
export const MessageViews = z
  .array(MessageView)
  .optional()
  .meta({ description: 'The same as data, a sentence each; absent for a text of an earlier release.' });

/** Fields of an answer with an explanation. */
export const why = {
  why: z.string().meta({ description: 'In words for players.' }),
  whyMessages: MessageViews,
};

const templates = new Map<string, Template>();

function templateOf(code: string): Template {
  const known = templates.get(code);
  if (known) return known;
  const entry = own<{ readonly text: string }>(catalogue, code);
  if (!entry) throw new Error(`the catalogue has no message ${code}`);
  const template = parseTemplate(entry.text);
  templates.set(code, template);
  return template;
}

/** A message in English. @throws Error when the catalogue has no such code */
export function sentenceOf({ code, params }: Message): string {
  return render(templateOf(code), params, (nested) => sentenceOf(nested as Message));
}

/** Messages in English, one after the other. */
export function textOf(messages: readonly Message[]): string {
  return messages.map(sentenceOf).join(' ');
}

/** Messages in the form for clients, with their text; undefined when they are a text without a code, or none. */
export function viewsOf(messages: readonly Message[] | undefined): MessageView[] | undefined {
  if (!messages || messages.every(({ code }) => code === 'verbatim')) return undefined;
  // A newer release stored them: only their text is known here.
  if (!messages.every(isKnown)) return undefined;
  return messages.map((each) => viewOf(each));
}

/** The explanation fields of an answer. */
export function whyOf(messages: readonly Message[]): { why: string; whyMessages?: MessageView[] } {
  const whyMessages = viewsOf(messages);
  return whyMessages ? { why: joined(whyMessages), whyMessages } : { why: textOf(messages) };
}

/** The reason fields of an answer. */
export function reasonOf(messages: readonly Message[]): { reason: string; reasonMessages?: MessageView[] } {
  const reasonMessages = viewsOf(messages);
  return reasonMessages ? { reason: joined(reasonMessages), reasonMessages } : { reason: textOf(messages) };
}

const joined = (views: readonly MessageView[]): string => views.map(({ text }) => text).join(' ');

function viewOf(each: Message): MessageView {
  const { code, params } = each;
  const text = sentenceOf(each);
  // Most have none: answers to servers have several messages each, so those are not copied.
  if (!Object.values(params).some(isNested)) return { code, params, text };
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    isNested(value) ? nestedViews(value) : value,
  ]);
  return { code, params: Object.fromEntries(entries), text };
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value;
const isNested = (value: unknown): value is Message | readonly Message[] =>
  isMessage(value) || (Array.isArray(value) && value.some(isMessage));
const nestedViews = (value: Message | readonly Message[]): MessageView | MessageView[] =>
  isMessage(value) ? viewOf(value) : value.map(viewOf);

/** Messages in the form of jobs and stores, beside their text. */
export const StoredMessages = z
  .array(z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) }))
  .optional()
  .catch(undefined);

/** The reason of a job or a row: the text, which every release reads, and its messages. */
export function writeReason(explanation: Explanation): { reason: string; messages?: Message[] } {
  return typeof explanation === 'string'
    ? { reason: explanation }
    : { reason: textOf(explanation), messages: [...explanation] };
}

/** The reason of a job or a row: its messages, or the text alone, as `readMessages` does. */
export function readReason({ reason: text, messages }: { reason: string; messages?: unknown }): Explanation {
  const read = readMessages(messages, text);
  return read.every(({ code }) => code === 'verbatim') ? text : read;
}

/** The reason of a gRPC answer: the text, which every release reads, and its messages as JSON. */
export function packReason(explanation: Explanation): { reason: string; messages: string } {
  return typeof explanation === 'string'
    ? { reason: explanation, messages: '' }
    : { reason: textOf(explanation), messages: JSON.stringify(explanation) };
}

/** Parses it; the previous release sends the text alone. */
export function unpackReason({ reason: text, messages }: { reason: string; messages?: string }): Explanation {
  if (!messages) return text;
  return readReason({ reason: text, messages: JSON.parse(messages) });
}

/** Sentences that were stored one by one: their messages, or each as a literal text where there are none. */
export function readWhy(stored: unknown, texts: readonly string[]): readonly Message[] {
  const read = StoredMessages.parse(stored ?? undefined) ?? [];
  return read.length === texts.length && read.every(isKnown) ? read : texts.map(verbatim);
}

/**
 * Stored messages, or the text alone: where the previous release stored no messages, or a newer one stored unknown codes.
 */
export function readMessages(stored: unknown, text: string): readonly Message[] {
  const read = StoredMessages.parse(stored ?? undefined) ?? [];
  return read.length > 0 && read.every(isKnown) ? read : [verbatim(text)];
}

function isKnown(read: { code: string; params: object }): read is Message {
  const parts = Object.values(read.params).flatMap((value: unknown) =>
    Array.isArray(value) ? value : [value],
  );
  return own<object>(catalogue, read.code) !== undefined && parts.filter(isMessage).every(isKnown);
}
