/**
 * The recorded part of an answer: its fields and types, without values.
 *
 * A leaf is the type of a value (`string`, `number`, `boolean`, `null`), `=word` for an enumerated word, or `$name.1`
 * for an id that occurs in more than one call. An array keeps each distinct shape of its elements once. `#` as its
 * first element means that the others are in the order of the array.
 */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape };

/** Fields with enumerated words. */
const decisive = new Set(['state', 'matchState', 'kind', 'outcome', 'status', 'type', 'word', 'origin']);

/** States that the service leaves by itself, and the next one: it may be reached before the recorded call arrives. */
const next = new Map([['placing', 'assigned']]);

/** Options of a description. */
export interface Describing {
  /** The name of an id, or undefined for other strings. */
  readonly nameOf: (value: string) => string | undefined;
  /** Whether arrays keep order and number of their elements. */
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

/** The differences of a value from a shape, and the ids found in it. */
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
 * Compares an answer with a recorded shape. Additional fields and elements are allowed.
 *
 * @param known ids of earlier answers; a leaf `$name` must equal the known one
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
    return value === word || value === next.get(word)
      ? matches
      : missing(path, `is ${JSON.stringify(value)}, not "${word}"`);
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

/** Compares sequentially: each comparison knows the ids found before. */
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
