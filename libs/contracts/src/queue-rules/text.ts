import {
  checkRulesDocument,
  pathText,
  type DocumentFlaw,
  type DocumentPath,
  type RulesDocument,
} from './document.js';

/** A position in a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A YAML parser (JSON is a subset of YAML): the used functions of the package `yaml`. */
export interface YamlReader<Lines extends LineCounting> {
  readonly LineCounter: new () => Lines;
  parseDocument(
    text: string,
    options: { lineCounter: Lines; prettyErrors: false; merge: true },
  ): {
    readonly contents: unknown;
    readonly errors: readonly {
      readonly code: string;
      readonly message: string;
      readonly pos: [number, number];
    }[];
    toJS(): unknown;
  };
}

export interface LineCounting {
  linePos(offset: number): { readonly line: number; readonly col: number };
}

/** A flaw of a text, with its position. */
export interface TextFlaw extends DocumentFlaw {
  readonly place: TextPlace;
}

/** The content of a text, or all its flaws. */
export type RulesText =
  | (Extract<RulesDocument, { ok: true }> & { readonly placeOf: (path: DocumentPath) => TextPlace })
  | { readonly ok: false; readonly flaws: readonly TextFlaw[] };

/**
 * Parses a rules document, in YAML or JSON. See {@link checkRulesDocument} for its form.
 *
 * @param yaml the package `yaml`: this library imports no parser
 */
export function readRulesText<Lines extends LineCounting>(text: string, yaml: YamlReader<Lines>): RulesText {
  const excess = excessOf(text);
  if (excess !== null)
    return { ok: false, flaws: [{ path: [], message: excess, place: { line: 1, column: 1 } }] };
  const lineCounter = new yaml.LineCounter();
  const at = (offset: number): TextPlace => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const document = yaml.parseDocument(text, { lineCounter, prettyErrors: false, merge: true });
  const { contents } = document;
  const placeOf = (path: DocumentPath): TextPlace => at(offsetOf(contents, path));
  if (document.errors.length > 0) {
    const flaws = document.errors.map(({ code, message, pos }) => ({
      path: [],
      message:
        code === 'MULTIPLE_DOCS'
          ? 'is a second document; write one, with a list under "queues"'
          : said(message),
      place: at(pos[0]),
    }));
    return { ok: false, flaws };
  }
  const value = valueOf(document);
  if (value instanceof Error)
    return { ok: false, flaws: [{ path: [], message: value.message, place: at(0) }] };
  const blanks = blanksIn(contents, []).map((path) => ({
    path,
    message: 'is left empty; write null if you mean “none”',
  }));
  const checked = blanks.length > 0 ? ({ ok: false, flaws: blanks } as const) : checkRulesDocument(value);
  if (checked.ok) return { ...checked, placeOf };
  const flaws = checked.flaws.map((flaw) => ({ ...flaw, place: placeOf(flaw.path) }));
  return {
    ok: false,
    flaws: flaws.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column),
  };
}

/** One flaw as a line: `file.yaml:12:5 queues[0].skillWindow[2].limit: a limit may not narrow …`. */
export function flawText(file: string, { path, message, place }: TextFlaw): string {
  const where = path.length === 0 ? '' : `${pathText(path)}: `;
  return `${file}:${place.line}:${place.column} ${where}${message}`;
}

/** Documents of hundreds of queues have a tenth of it. */
const mostCharacters = 1_000_000;
/** Levels of a document; rules have eight. */
const mostLevels = 200;

/** Parsers call themselves at every level of a document, and one of 20,000 brackets ends the process. */
function excessOf(text: string): string | null {
  if (text.length > mostCharacters) return `is longer than ${mostCharacters} characters`;
  let levels = 0;
  let most = 0;
  for (const [mark] of text.matchAll(/[[\]{}]/g)) {
    levels = Math.max(0, levels + (mark === '[' || mark === '{' ? 1 : -1));
    most = Math.max(most, levels);
  }
  // Lists and keys that begin on one line.
  for (const [marks] of text.matchAll(/(?:[-?:] +){50,}/g)) most = Math.max(most, marks.length / 2);
  return most > mostLevels ? `is nested deeper than ${mostLevels} levels` : null;
}

/** Aliases may expand a document of a few lines enormously; the parser refuses that, and undefined aliases. */
function valueOf(document: { toJS(): unknown }): unknown {
  try {
    return document.toJS();
  } catch (error) {
    return new Error(
      `cannot be read: ${error instanceof Error ? said(error.message) : 'its aliases go in a circle'}`,
    );
  }
}

function said(message: string): string {
  const [first = ''] = message.split('\n');
  return first.replace(/[.:]$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

interface YamlNode {
  readonly range?: readonly number[] | null;
  readonly items?: readonly unknown[];
  readonly value?: unknown;
  readonly source?: string;
}

interface YamlPair {
  readonly key: unknown;
  readonly value: unknown;
}

function isNode(value: unknown): value is YamlNode {
  return typeof value === 'object' && value !== null;
}

function isPair(value: unknown): value is YamlPair {
  return typeof value === 'object' && value !== null && 'key' in value && 'value' in value;
}

function nameOf(key: unknown): string {
  return isNode(key) ? String(key.value) : String(key);
}

/** The position of the field or entry at a path, or, if it is missing, of its parent. */
function offsetOf(root: unknown, path: DocumentPath): number {
  let offset = startOf(root) ?? 0;
  let node = root;
  for (const part of path) {
    const items = isNode(node) ? (node.items ?? []) : [];
    const pair = items.find((item): item is YamlPair => isPair(item) && nameOf(item.key) === String(part));
    const next = pair ? pair.value : typeof part === 'number' ? items[part] : undefined;
    const found = pair ? (startOf(pair.key) ?? startOf(next)) : startOf(next);
    if (found === undefined) return offset;
    offset = found;
    node = next;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** Paths of keys without a value: YAML reads them as null, and null has a meaning here. */
function blanksIn(node: unknown, path: DocumentPath): DocumentPath[] {
  if (!isNode(node) || !node.items) return [];
  return node.items.flatMap((item, i) => {
    const [value, at] = isPair(item) ? [item.value, [...path, nameOf(item.key)]] : [item, [...path, i]];
    const blank = value === null || (isNode(value) && value.value === null && (value.source ?? '') === '');
    return blank ? [at] : blanksIn(value, at);
  });
}
