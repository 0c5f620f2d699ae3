import type { Shape } from './shape.js';

/**
 * One recorded request and what is kept of its answer: one line of `requests.jsonl`.
 *
 * In paths, queries, headers and bodies `${name.1}` stands for an id of an earlier answer, `${uuid.1}` for an id that the
 * caller made, and `${now-250}` for a time in milliseconds.
 */
export interface RecordedCall {
  /** The name of the endpoint. */
  readonly call: string;
  /** Who calls: `player:<id>`, `operator`, `fleet`, or `token:<placeholder>`. */
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** The media type of the answer. */
  readonly type: string;
  /** Of JSON: its shape. */
  readonly answer?: Shape;
  /** Of JSON lines: the shapes of the lines. Of server-sent events: the events in their order. */
  readonly parts?: readonly Shape[];
  /** Of CSV: the names of its columns. */
  readonly columns?: readonly string[];
  /** How many lines follow this one that were asked before it was answered. */
  readonly during?: number;
}

const placeholder = /\$\{([^}]+)\}/g;

/** The names that a template needs. */
export function namesIn(template: unknown): string[] {
  return [...JSON.stringify(template).matchAll(placeholder)].flatMap(([, name = '']) =>
    isTime(name) ? [] : [name],
  );
}

const isTime = (name: string): boolean => /^now([+-]\d+)?$/.test(name);
const timeOf = (name: string, now: number): number => now + Number(name.slice('now'.length) || 0);

/** Puts values in the place of placeholders, at any depth. @throws Error for a name that is not known */
export function fill(template: unknown, known: ReadonlyMap<string, string>, now: number): unknown {
  if (Array.isArray(template)) return template.map((each) => fill(each, known, now));
  if (typeof template === 'object' && template !== null)
    return Object.fromEntries(
      Object.entries(template).map(([key, each]) => [fillText(key, known, now), fill(each, known, now)]),
    );
  if (typeof template !== 'string') return template;
  const whole = /^\$\{([^}]+)\}$/.exec(template)?.[1];
  if (whole !== undefined && isTime(whole)) return timeOf(whole, now);
  return fillText(template, known, now);
}

/** The same for a text. */
export function fillText(template: string, known: ReadonlyMap<string, string>, now: number): string {
  return template.replaceAll(placeholder, (_, name: string) => {
    if (isTime(name)) return String(timeOf(name, now));
    const value = known.get(name);
    if (value === undefined) throw new Error(`no answer had ${name}`);
    return value;
  });
}

/** One server-sent event. */
export interface SentEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** Reads the whole events of a text. @returns them, and the rest that is not whole yet */
export function eventsIn(text: string): { events: SentEvent[]; rest: string } {
  const frames = text.split('\n\n');
  const rest = frames.pop() ?? '';
  const events = frames.flatMap((frame) => {
    const fields = new Map(
      frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const [event, id, data] = ['event', 'id', 'data'].map((name) => fields.get(name));
    return event === undefined || id === undefined || data === undefined
      ? []
      : [{ event, id, data: JSON.parse(data) as unknown }];
  });
  return { events, rest };
}

/** An event with its type as a word that clients decide by. */
export const eventValue = ({ event, id, data }: SentEvent): unknown => ({ type: event, id, data });

/** The lines of JSON lines. */
export const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
