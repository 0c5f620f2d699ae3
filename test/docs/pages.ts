import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.cwd();

/** The pages for users and operators, relative to the root. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** A fenced block of a page. */
export interface Example {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The kind stated in the comment above it: `<!-- example: body createTicket -->`, or `<!-- story:curl -->`. */
  readonly kind: string | null;
}

const fence = /^(?: *<!-- (?:example: )?(\S.*?) -->\n\n)?( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** All fenced blocks of all pages. */
export function examples(): Example[] {
  return pages.flatMap((page) => {
    const markdown = readPage(page);
    return [...markdown.matchAll(fence)].map((found) => {
      const [, kind = null, indent = '', language = '', text = ''] = found;
      return {
        page,
        line: markdown.slice(0, markdown.indexOf('```', found.index)).split('\n').length,
        language,
        text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
        kind,
      };
    });
  });
}

/** The rows of a table as lists of cells, without the head. @param after text before the table */
export function tableAfter(page: string, after: string | RegExp): string[][] {
  const markdown = readPage(page);
  const from = typeof after === 'string' ? markdown.indexOf(after) : markdown.search(after);
  if (from < 0) throw new Error(`${page} does not say ${String(after)}`);
  const lines = markdown.slice(from).split('\n');
  const first = lines.findIndex((line) => line.trimStart().startsWith('|'));
  const rows: string[][] = [];
  for (const line of lines.slice(first + 2)) {
    if (!line.trimStart().startsWith('|')) break;
    rows.push(
      line
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}

/** The code spans of a text. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
