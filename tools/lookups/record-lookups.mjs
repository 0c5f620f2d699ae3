import { join, relative } from 'node:path';
import ts from 'typescript';
import { checkout } from '../prepare/checkout.mjs';

/** The only source that may look up any name in a record. */
const allowedIn = 'libs/domain/src/own.ts';

/** All sources of libraries and apps, without specs. */
export const sources = () =>
  ts.sys.readDirectory(
    checkout,
    ['.ts'],
    ['**/node_modules', '**/dist', '**/generated', '**/*.spec.ts'],
    ['libs/*/src', 'apps/*/src'],
  );

/**
 * Finds lookups in a record by a name known only at run time: `record[name]`, `name in record`, `{ [name]: value } =
 * record`. An external name may be `constructor`, which is on the prototype of every object, or `__proto__`, whose
 * assignment changes the prototype. Names of a fixed set, and names with a prefix, are allowed.
 *
 * @param {readonly string[]} paths absolute
 * @param {ReadonlyMap<string, string>} [virtual] further sources by absolute path
 * @returns {string[]} one line per lookup: position and code
 */
export function recordLookups(paths, virtual = new Map()) {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(checkout, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    checkout,
  );
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => virtual.get(path) ?? readFile(path);
  host.fileExists = (path) => virtual.has(path) || fileExists(path);
  const checked = [...paths, ...virtual.keys()];
  const program = ts.createProgram(checked, options, host);
  const ours = new Set(checked.filter((path) => !path.endsWith(allowedIn)));
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => ours.has(fileName))
    .flatMap((source) => lookupsIn(source, checker));
}

/** @param {ts.SourceFile} source @param {ts.TypeChecker} checker @returns {string[]} */
function lookupsIn(source, checker) {
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const note = (node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${relative(checkout, source.fileName)}:${line + 1} ${node.getText(source)}`);
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
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

/** Whether an expression is an arbitrary string or untyped. @param {ts.Expression} expression @param {ts.TypeChecker} checker */
function isOpenName(expression, checker) {
  if (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) return false;
  const type = checker.getTypeAtLocation(expression);
  return partsOf(checker.getBaseConstraintOfType(type) ?? type).some(
    ({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0,
  );
}

/** Whether an expression is an object with arbitrary keys. @param {ts.Expression} expression @param {ts.TypeChecker} checker */
function isRecord(expression, checker) {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  return partsOf(checker.getApparentType(type)).some(
    (part) =>
      (part.flags & ts.TypeFlags.Any) !== 0 ||
      checker.getIndexInfoOfType(part, ts.IndexKind.String) !== undefined,
  );
}

/** @param {ts.Type} type @returns {readonly ts.Type[]} */
function partsOf(type) {
  return type.isUnionOrIntersection() ? type.types : [type];
}
