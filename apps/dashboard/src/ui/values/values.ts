import type { Values } from '../action.js';

// What was filled in before an action.

const valueIn = (values: Values, name: string) => new Map(Object.entries(values)).get(name);

export const textIn = (values: Values, name: string): string => String(valueIn(values, name) ?? '').trim();

/** A number that may be left out. */
export function numberIn(values: Values, name: string): number | undefined {
  const value = valueIn(values, name);
  return typeof value === 'number' ? value : undefined;
}

/** A text that may be left out. */
export const textOrNone = (values: Values, name: string): string | undefined =>
  textIn(values, name) || undefined;

/** A time, in milliseconds since the epoch. @throws Error without one */
export function timeIn(values: Values, name: string): number {
  const at = Date.parse(textIn(values, name));
  if (Number.isNaN(at)) throw new Error('Give a date and a time.');
  return at;
}
