import { isDeepStrictEqual } from 'node:util';

/** Names that every object has on its prototype, in the order of their code units. */
export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype).toSorted();

/** Equally many plain names in the same order, so that ties by name are decided alike. */
export const plainNames: readonly string[] = prototypeNames.map(
  (_, i) => `plain-${String(i).padStart(2, '0')}-name`,
);

/** The prototype names that are valid ids: none begins with an underscore. */
export const prototypeIds: readonly string[] = prototypeNames.filter((name) => /^[a-z]/i.test(name));

/**
 * Calls a function with plain names and with prototype names.
 *
 * @param ask takes names and returns a JSON value
 * @returns null if the answers differ only in the names, else both
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
