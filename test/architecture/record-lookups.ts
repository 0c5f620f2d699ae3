import { join, relative } from 'node:path';
import ts from 'typescript';
import { repository } from './plant.js';

/** The one source that may look into a record by any name. */
const allowedIn = 'libs/domain/src/own.ts';

/** Sources that stand in the program without being on the disk, by path in the repository. */
export type PlantedSources = ReadonlyMap<string, string>;

/**
 * Finds where a source looks into a record by a name that is only known when it runs: `record[name]`, `name in record`,
 * `{ [name]: value } = record`. A name from outside may be `constructor`, which every object has on its prototype, or
 * `__proto__`, and assigning under that changes the prototype. Names of a fixed set, and names with a prefix, are let pass.
 *
 * @returns a line for each: where, and the code
 */
export function recordLookups(planted: PlantedSources): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(repository, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    repository,
  );
  const sources = ts.sys.readDirectory(
    repository,
    ['.ts'],
    ['**/node_modules', '**/dist', '**/generated', '**/*.spec.ts'],
    ['libs/*/src', 'apps/*/src'],
  );
  const virtual = new Map([...planted].map(([path, code]) => [join(repository, path), code]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => virtual.get(path) ?? readFile(path);
  host.fileExists = (path) => virtual.has(path) || fileExists(path);
  const program = ts.createProgram([...sources, ...virtual.keys()], options, host);
  const ours = new Set([...sources, ...virtual.keys()].filter((path) => !path.endsWith(allowedIn)));
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => ours.has(fileName))
    .flatMap((source) => lookupsIn(source, checker));
}

function lookupsIn(source: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const note = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${relative(repository, source.fileName)}:${line + 1} ${node.getText(source)}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isElementAccessExpression(node)) {
      if (isOpenName(node.argumentExpression, checker) && isRecord(node.expression, checker)) note(node);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
      if (isOpenName(node.left, checker) && isRecord(node.right, checker)) note(node);
    } else if (
      ts.isBindingElement(node) &&
      node.propertyName &&
      ts.isComputedPropertyName(node.propertyName) &&
      isOpenName(node.propertyName.expression, checker)
    )
      note(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether an expression is a text that may be anything, or of no type at all. */
function isOpenName(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) return false;
  const type = checker.getTypeAtLocation(expression);
  return partsOf(checker.getBaseConstraintOfType(type) ?? type).some(
    ({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0,
  );
}

/** Whether an expression is an object with keys of any name. */
function isRecord(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  return partsOf(checker.getApparentType(type)).some(
    (part) =>
      (part.flags & ts.TypeFlags.Any) !== 0 ||
      checker.getIndexInfoOfType(part, ts.IndexKind.String) !== undefined,
  );
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnionOrIntersection() ? type.types : [type];
}
