import { pathText } from '@muster/contracts';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';

/** The content of a document, or its flaws: each with line, column and path, such as `3:5 rules[0].builds: must …`. */
export type ReadDocument<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly flaws: readonly string[] };

interface Flaw {
  readonly offset: number;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Reads a document of settings, in YAML or JSON. Aliases that expand enormously are refused. */
export function readYaml<T>(text: string, schema: z.ZodType<T>): ReadDocument<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const read = document.errors.length > 0 ? flawsOf(document) : valueOf(document, schema);
  if (!Array.isArray(read)) return { ok: true, value: read.value };
  const flaws = read
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, path, message }) => {
      const { line, col } = lines.linePos(offset);
      const where = path.length === 0 ? '' : `${pathText(path)}: `;
      return `${Math.max(1, line)}:${Math.max(1, col)} ${where}${message}`;
    });
  return { ok: false, flaws };
}

const flawsOf = ({ errors }: Document): Flaw[] =>
  errors.map(({ message, pos: [offset] }) => ({ offset, path: [], message }));

function valueOf<T>(document: Document, schema: z.ZodType<T>): { readonly value: T } | Flaw[] {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return [{ offset: 0, path: [], message: error instanceof Error ? error.message : String(error) }];
  }
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data };
  return read.error.issues.map(({ path, message }) => {
    const known = path.filter((part) => typeof part !== 'symbol');
    return { offset: offsetOf(document, known), path: known, message };
  });
}

/** The position of a field or entry, or, if it is missing, of its parent. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
