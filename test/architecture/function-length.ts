import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { repository } from './plant.js';

/** A function of this many lines or more is too long. */
export const tooLong = 60;

/** Algorithms of the solver and the matcher may be longer; the suites of libs/testing are specs. */
const exempt = ['libs/solver', 'libs/lab/baselines', 'libs/matchmaking', 'libs/testing'];

/** Paths of the sources, relative to the repository; without specs and generated code. */
export function sourcesToMeasure(): string[] {
  return ts.sys
    .readDirectory(
      repository,
      ['.ts', '.mts', '.mjs'],
      ['**/node_modules', '**/dist', '**/generated', '**/*.spec.ts', '**/*.spec.mjs', ...exempt],
      ['libs', 'apps', 'tools'],
    )
    .map((path) => relative(repository, path));
}

/** The text of a source. @param path relative to the repository */
export function textOf(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

/**
 * Finds the functions of a source that are too long, from the first line of their code to the last: declarations,
 * methods, accessors, constructors, arrow functions. A comment before a function does not count, one within it does.
 *
 * @param path for the output, relative to the repository
 * @returns one line per function: position, name and length
 */
export function longFunctions(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineOf(node.getStart(source));
      const lines = lineOf(node.end) - first + 1;
      if (lines >= tooLong) found.push(`${path}:${first + 1} ${nameOf(node)} has ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The name of a function, or of the constant or property that holds it. */
function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isNamed ? parent.name.getText() : 'a function';
}
