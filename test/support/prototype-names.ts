import { isDeepStrictEqual } from 'node:util';

/** Names that every object has on its prototype, in the order of their code units. */
export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype).toSorted();

/** As many names that mean nothing, in the same order: a tie that names decide is decided alike. */
export const plainNames: readonly string[] = prototypeNames.map(
  (_, i) => `plain-${String(i).padStart(2, '0')}-name`,
);

/** The names of prototypes that ids of the interface can have: none begins with an underscore. */
export const prototypeIds: readonly string[] = prototypeNames.filter((name) => /^[a-z]/i.test(name));

/**
 * Asks the same with names that mean nothing and with names of prototypes.
 *
 * @param ask takes names and answers something that JSON can hold
 * @returns null when the answers differ in the names alone, else both
 */
export function toldApart(
  ask: (names: readonly string[]) => unknown,
  names = prototypeNames,
): { plain: unknown; prototype: unknown } | null {
  const places = names.map((name) => prototypeNames.indexOf(name));
  const plain: unknown = JSON.parse(
    places.reduce(
      (text, place) => text.replaceAll(plainNames[place] ?? '', prototypeNames[place] ?? ''),
      JSON.stringify(ask(places.map((place) => plainNames[place] ?? ''))),
    ),
  );
  const prototype: unknown = JSON.parse(JSON.stringify(ask(names)));
  return isDeepStrictEqual(plain, prototype) ? null : { plain, prototype };
}
