/** What a message says in English, and an example of its parameters, which has their types. */
export interface Entry<Params> {
  /** See `parseTemplate` of `@muster/contracts`. */
  readonly text: string;
  readonly example: Params;
}

/** A message as the parameter of another one. */
export interface Nested {
  readonly code: string;
  readonly params: object;
}

/** A team as a parameter: the name that its server gave it, else its index, from 0. */
export type TeamParam = string | number;

export function entry(text: string): Entry<Record<never, never>>;
export function entry<Params>(text: string, example: Params): Entry<Params>;
export function entry(text: string, example: object = {}): Entry<object> {
  return { text, example };
}
