import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A statement that a source sends to Postgres, with `$1` and so on for run-time values. */
export interface Statement {
  /** File and line. */
  readonly at: string;
  readonly sql: string;
}

/** Constants that a source names: its own and imported ones, each with those of the source that has it. */
type Consts = ReadonlyMap<string, { readonly node: ts.Expression; readonly consts: Consts }>;

/** Reads the statements of folders and files. */
export function statementsOf(paths: readonly string[]): Statement[] {
  const sources = paths.flatMap(filesOf).map((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    return { file, source, consts: constsOf(source) };
  });
  const parts = new Map(sources.flatMap(({ consts }) => [...consts].filter(([, { node }]) => isSql(node))));
  for (const { source, consts } of sources)
    visit(source, (node) => {
      const part = ts.isImportSpecifier(node) ? parts.get(node.name.text) : undefined;
      if (part && ts.isImportSpecifier(node)) consts.set(node.name.text, part);
    });
  return sources.flatMap(({ file, source, consts }) => statementsIn(file, source, consts));
}

function visit(node: ts.Node, step: (each: ts.Node) => void): void {
  step(node);
  node.forEachChild((child) => visit(child, step));
}

function constsOf(source: ts.SourceFile): Map<string, { node: ts.Expression; consts: Consts }> {
  const consts = new Map<string, { node: ts.Expression; consts: Consts }>();
  visit(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      consts.set(node.name.text, { node: bare(node.initializer), consts });
  });
  return consts;
}

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${path}/${name}`);
}

function statementsIn(file: string, source: ts.SourceFile, consts: Consts): Statement[] {
  const statements: Statement[] = [];
  visit(source, (node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const at = `${file}:${line + 1}`;
    if (ts.isTaggedTemplateExpression(node) && /\.\$(query|execute)Raw$/.test(node.tag.getText()))
      for (const sql of templates(node.template, consts)) statements.push({ at, sql: numbered(sql) });
  });
  return statements;
}

/** An expression without type assertions. */
function bare(node: ts.Expression): ts.Expression {
  return ts.isSatisfiesExpression(node) || ts.isAsExpression(node) || ts.isParenthesizedExpression(node)
    ? bare(node.expression)
    : node;
}

/** A parameter before numbering. */
const parameter = '\u0000';

function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll(parameter, () => `$${(n += 1)}`);
}

/** The texts of a template: a part that is SQL itself is expanded, in each of its forms. */
function templates(node: ts.TemplateLiteral, consts: Consts): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  return node.templateSpans.reduce(
    (texts, { expression, literal }) => {
      const parts = partsOf(expression, consts);
      return texts.flatMap((text) => parts.map((part) => `${text}${part}${literal.text}`));
    },
    [node.head.text],
  );
}

function partsOf(given: ts.Expression, consts: Consts): string[] {
  const node = bare(given);
  if (ts.isIdentifier(node)) {
    const meant = consts.get(node.text);
    return meant && isSql(meant.node) ? partsOf(meant.node, meant.consts) : [parameter];
  }
  if (ts.isConditionalExpression(node) && isSql(node))
    return [...partsOf(node.whenTrue, consts), ...partsOf(node.whenFalse, consts)];
  return ts.isTaggedTemplateExpression(node) && isSql(node) ? templates(node.template, consts) : [parameter];
}

function isSql(node: ts.Expression): boolean {
  if (ts.isConditionalExpression(node)) return isSql(bare(node.whenTrue));
  return ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sqlPart';
}
