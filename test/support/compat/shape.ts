/**
 * What is kept of a recorded answer: its fields and their types, without its values.
 *
 * A leaf is the type of a value (`string`, `number`, `boolean`, `null`), `=word` for a word that clients decide by, or
 * `$name.1` for an id that stands in more than one call. An array keeps each different shape of its elements once. `#` as its
 * first element says that the others stand in the order of the array.
 */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape };

/** Fields whose values are words that clients decide by. */
const decisive = new Set(['state', 'matchState', 'kind', 'outcome', 'status', 'type', 'word', 'origin']);

/** How to describe a value. */
export interface Describing {
  /** The name of an id, or undefined for any other string. */
  readonly nameOf: (value: string) => string | undefined;
  /** Whether arrays keep the order and number of their elements. */
  readonly ordered?: boolean;
}

/** The shape of a JSON value. */
export function shapeOf(value: unknown, describing: Describing, field = ''): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const shapes = value.map((each) => shapeOf(each, describing));
    return describing.ordered ? ['#', ...shapes] : distinct(shapes);
  }
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, shapeOf(each, describing, key)]),
    );
  if (typeof value !== 'string') return typeof value;
  const name = describing.nameOf(value);
  if (name !== undefined) return `$${name}`;
  return decisive.has(field) ? `=${value}` : 'string';
}

function distinct(shapes: readonly Shape[]): Shape[] {
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}

/** How a value differs from a shape, and the ids that were found in it. */
export interface Comparison {
  readonly misses: readonly string[];
  readonly found: ReadonlyMap<string, string>;
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);
const missing = (path: string, what: string): Comparison => ({
  misses: [`${path === '' ? 'the answer' : path} ${what}`],
  found: new Map(),
});
const matches: Comparison = { misses: [], found: new Map() };

/**
 * Compares an answer with the shape of a recorded one. More fields and more elements are allowed.
 *
 * @param known ids that earlier answers had; a leaf `$name` must equal what is known under that name
 */
export function compare(
  shape: Shape,
  value: unknown,
  known: ReadonlyMap<string, string>,
  path = '',
): Comparison {
  if (typeof shape === 'string') return compareLeaf(shape, value, known, path);
  if (isList(shape)) return compareList(shape, value, known, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return missing(path, `is ${JSON.stringify(value)?.slice(0, 80)}, not an object`);
  const fields = new Map<string, unknown>(Object.entries(value));
  return inTurn(Object.entries(shape), known, ([field, each], soFar) => {
    const at = path === '' ? field : `${path}.${field}`;
    return fields.has(field) ? compare(each, fields.get(field), soFar, at) : missing(at, 'is not there');
  });
}

function compareLeaf(
  shape: string,
  value: unknown,
  known: ReadonlyMap<string, string>,
  path: string,
): Comparison {
  const word = shape.slice(1);
  if (shape.startsWith('='))
    return value === word ? matches : missing(path, `is ${JSON.stringify(value)}, not "${word}"`);
  if (!shape.startsWith('$'))
    return typeOf(value) === shape ? matches : missing(path, `is ${typeOf(value)}, not ${shape}`);
  if (typeof value !== 'string') return missing(path, `is ${typeOf(value)}, not string`);
  const before = known.get(word);
  if (before !== undefined)
    return before === value ? matches : missing(path, `is "${value}", not the ${word} "${before}"`);
  const other = [...known].find(([, taken]) => taken === value);
  if (other) return missing(path, `is the ${other[0]} "${value}", not the ${word}`);
  return { misses: [], found: new Map([[word, value]]) };
}

function compareList(
  shapes: readonly Shape[],
  value: unknown,
  known: ReadonlyMap<string, string>,
  path: string,
): Comparison {
  if (!Array.isArray(value)) return missing(path, `is ${typeOf(value)}, not an array`);
  if (shapes[0] === '#')
    return inTurn([...shapes.slice(1).entries()], known, ([i, each], soFar) =>
      i < value.length
        ? compare(each, value[i], soFar, `${path}[${i}]`)
        : missing(`${path}[${i}]`, 'is not there'),
    );
  return inTurn(shapes, known, (each, soFar) => {
    const tried = value.map((element, i) => compare(each, element, soFar, `${path}[${i}]`));
    const nearest = tried.toSorted((a, b) => a.misses.length - b.misses.length)[0];
    return nearest ?? missing(path, 'is empty');
  });
}

/** Compares one after another: what is found in one is known to the next. */
function inTurn<T>(
  parts: readonly T[],
  known: ReadonlyMap<string, string>,
  each: (part: T, known: ReadonlyMap<string, string>) => Comparison,
): Comparison {
  const misses: string[] = [];
  const found = new Map<string, string>();
  for (const part of parts) {
    const one = each(part, new Map([...known, ...found]));
    misses.push(...one.misses);
    if (one.misses.length === 0) for (const [name, value] of one.found) found.set(name, value);
  }
  return { misses, found };
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}
