import { flawsWithin, type Flaw } from '@muster/contracts';
import { StandardSchemaValidationPipe } from '@nestjs/common';
import { InvalidRequest } from './problem-filter.js';

/**
 * Validates body, path and query by their schemas. Nest's pipe first deletes the keys `constructor`, `prototype` and
 * `__proto__`, and says nothing. The first two are valid ids, which code looks up safely (ADR 34), and unknown fields must
 * be refused under every name. So this pipe deletes nothing, and refuses `__proto__`, which zod's records leave out.
 */
export class Validation extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: invalid });
  }

  /** Nest calls it before it validates. @throws InvalidRequest for a key `__proto__` at any depth, and for what is too deep */
  protected override stripProtoKeys(value: unknown): void {
    const found = flawIn(value);
    if (found !== null) throw invalid([found]);
  }
}

interface Node {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Node | null;
  readonly depth: number;
}

/** Levels of a body; no call has half as many. Schemas descend by calling themselves. */
const mostLevels = 32;

/** The first key `__proto__`, or value that is nested too deep; null without one. A body may be nested deeper than the call stack. */
function flawIn(value: unknown): { readonly path: string[]; readonly message: string } | null {
  const open: Node[] = [{ value, key: '', parent: null, depth: 1 }];
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.value !== 'object' || node.value === null) continue;
    if (node.depth > mostLevels)
      return { path: pathTo(node).slice(0, 1), message: `is nested deeper than ${mostLevels} levels` };
    for (const [key, each] of Object.entries(node.value)) {
      const child = { value: each, key, parent: node, depth: node.depth + 1 };
      if (key === '__proto__')
        return { path: pathTo(child), message: 'the name `__proto__` is not allowed; leave it out' };
      if (typeof each === 'object') open.push(child);
    }
  }
  return null;
}

function pathTo(node: Node): string[] {
  const path: string[] = [];
  for (let at = node; at.parent; at = at.parent) path.push(at.key);
  return path.toReversed();
}

interface Issue extends Omit<Flaw, 'path'> {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The end of a path tells most of it; a body may be nested in thousands of levels, and its names be long. */
const longestPath = 200;

function pathText(path: readonly PropertyKey[]): string {
  const text = path.slice(-longestPath).map(String).join('.');
  return text.length > longestPath ? `…${text.slice(-longestPath)}` : text;
}

/** How many errors a refusal lists: a body of 64 KiB may have thousands, and its answer must not be many times as large. */
export const mostErrors = 20;

/** The refusal of a request with these issues. */
export function invalid(issues: readonly Issue[]): InvalidRequest {
  const flaws = issues.map(({ path = [], ...flaw }) => ({
    ...flaw,
    path: path.map((part) => (typeof part === 'object' ? part.key : part)),
  }));
  const all = flawsWithin(flaws);
  const errors = all.slice(0, mostErrors).map(({ path = [], message }) => ({
    path: pathText(path),
    message,
  }));
  const more = all.length > 1 ? ` (and ${all.length - 1} more, see errors)` : '';
  const text = `${sentenceOf(errors[0])}${more}`;
  // A question about what is meant ends the sentence already.
  return new InvalidRequest(text.endsWith('?') ? text : `${text}.`, { errors });
}

/** How a message about the whole request begins when the request is its subject. */
const predicate = /^(?:must|is|has|takes|makes|needs|cannot)\b/;

/** The error of a field or of the whole request. */
function sentenceOf(
  { path, message }: { path: string; message: string } = { path: '', message: 'is invalid' },
): string {
  if (path !== '') return `\`${path}\`: ${message}`;
  return predicate.test(message)
    ? `The request ${message}`
    : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
