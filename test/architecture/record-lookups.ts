import { join, relative } from 'node:path';
import ts from 'typescript';
import { repository } from './plant.js';

/** The only source that may look up any name in a record. */
const allowedIn = 'libs/domain/src/own.ts';

/** Virtual sources by path in the repository. */
export type PlantedSources = ReadonlyMap<string, string>;

/**
 * Finds lookups in a record by a name known only at run time: `record[name]`, `name in record`, `{ [name]: value } =
 * record`. An external name may be `constructor`, which is on the prototype of every object, or `__proto__`, whose
 * assignment changes the prototype. Names of a fixed set, and names with a prefix, are allowed.
 *
 * @returns one line per lookup: position and code
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

/** Whether an expression is an arbitrary string or untyped. */
function isOpenName(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) return false;
  const type = checker.getTypeAtLocation(expression);
  return partsOf(checker.getBaseConstraintOfType(type) ?? type).some(
    ({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0,
  );
}

/** Whether an expression is an object with arbitrary keys. */
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
