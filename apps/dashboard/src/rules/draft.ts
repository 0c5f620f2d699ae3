import {
  inShortLines,
  readRulesText,
  rulesYaml,
  yamlStyle,
  type DocumentPath,
  type QueueRules,
  type TextFlaw,
} from '@muster/contracts';
import { Document, isMap, LineCounter, parseDocument } from 'yaml';

/** What a text of rules says. */
export interface Draft {
  /** null: the text has flaws. */
  readonly rules: QueueRules | null;
  readonly flaws: readonly TextFlaw[];
  /** The document as far as it can be read, for a form; null: it is not that of one queue, or no YAML at all. */
  readonly document: Readonly<Record<string, unknown>> | null;
}

export const textOf = (rules: QueueRules): string => rulesYaml(rules, { Document });

/** Reads the rules of a queue, in YAML or JSON. */
export function readDraft(text: string, queue: string): Draft {
  const read = readRulesText(text, { LineCounter, parseDocument });
  const document = documentOf(text);
  if (!read.ok) return { rules: null, flaws: read.flaws, document };
  const [rules] = read.queues;
  const [path = []] = read.paths;
  if (!rules || read.queues.length > 1)
    return wrong(
      document,
      [],
      `has the rules of ${read.queues.length} queues; here are those of ${queue} alone`,
    );
  if (rules.name === queue) return { rules, flaws: [], document };
  const place = read.placeOf([...path, 'name']);
  return {
    rules: null,
    flaws: [
      {
        path: ['name'],
        message: `must be ${queue}, the queue of this page, not ${rules.name}; "muster rules apply" makes a new queue`,
        place,
      },
    ],
    document,
  };
}

const wrong = (document: Draft['document'], path: DocumentPath, message: string): Draft => ({
  rules: null,
  flaws: [{ path, message, place: { line: 1, column: 1 } }],
  document,
});

function documentOf(text: string): Draft['document'] {
  const parsed = parseDocument(text, { merge: true });
  if (parsed.errors.length > 0 || !isMap(parsed.contents) || parsed.has('queues')) return null;
  try {
    return parsed.toJS() as Readonly<Record<string, unknown>>;
  } catch {
    // Of aliases without end; the flaws say so.
    return null;
  }
}

/** The text with another value in one place, its comments kept; undefined: without the field. */
export function withValue(text: string, path: DocumentPath, value: unknown): string {
  const document = parseDocument(text, { merge: true });
  if (value === undefined) document.deleteIn(path);
  else if (typeof value === 'object' && value !== null) {
    const node = document.createNode(value);
    inShortLines(node);
    document.setIn(path, node);
  } else document.setIn(path, value);
  return document.toString(yamlStyle);
}

/**
 * The text with what another version changed meanwhile, field by field. A field that the text changed, too, stays as it is
 * there.
 *
 * @param base what the text began with
 */
export function withChangesOf(text: string, base: QueueRules, newest: QueueRules): string {
  const own = documentOf(text);
  if (!own) return text;
  const [before, after, now] = [fieldsOf(base), fieldsOf(newest), fieldsOf(own)];
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(
      (field) => !isSame(before.get(field), after.get(field)) && isSame(before.get(field), now.get(field)),
    )
    .reduce((changed, field) => withValue(changed, [field], after.get(field)), text);
}

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

/** The value at a path of a document; undefined: none. */
export function valueAt(document: Draft['document'], path: DocumentPath): unknown {
  return path.reduce<unknown>((value, part) => fieldsOf(value).get(String(part)), document);
}

/** What is wrong at a path, or within it. */
export function flawAt(flaws: Draft['flaws'], path: DocumentPath): string | undefined {
  return flaws.find((flaw) => path.length > 0 && path.every((part, i) => flaw.path[i] === part))?.message;
}
