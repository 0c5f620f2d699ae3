import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { type Model, readModels } from './schema-models.js';

/** A statement that a source sends to Postgres, with `$1` and so on for run-time values. */
export interface Statement {
  /** File and line. */
  readonly at: string;
  readonly sql: string;
}

/** Constants of a source by name. */
type Consts = ReadonlyMap<string, ts.Expression>;

/** Reads the statements of folders and files. */
export function statementsOf(paths: readonly string[]): Statement[] {
  const models = readModels('prisma/schema.prisma');
  return paths.flatMap(filesOf).flatMap((file) => statementsIn(file, models));
}

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${path}/${name}`);
}

function statementsIn(file: string, models: ReadonlyMap<string, Model>): Statement[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const consts = new Map<string, ts.Expression>();
  const statements: Statement[] = [];
  const visit = (node: ts.Node, step: (each: ts.Node) => void): void => {
    step(node);
    node.forEachChild((child) => visit(child, step));
  };
  visit(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      consts.set(node.name.text, bare(node.initializer));
  });
  visit(source, (node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const at = `${file}:${line + 1}`;
    if (ts.isTaggedTemplateExpression(node) && /\.\$(query|execute)Raw$/.test(node.tag.getText()))
      for (const sql of templates(node.template, consts)) statements.push({ at, sql: numbered(sql) });
    if (ts.isCallExpression(node))
      for (const sql of callOf(node, models, consts)) statements.push({ at, sql: numbered(sql) });
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
    return meant && isSql(meant) ? partsOf(meant, consts) : [parameter];
  }
  if (ts.isConditionalExpression(node) && isSql(node))
    return [...partsOf(node.whenTrue, consts), ...partsOf(node.whenFalse, consts)];
  return ts.isTaggedTemplateExpression(node) && isSql(node) ? templates(node.template, consts) : [parameter];
}

function isSql(node: ts.Expression): boolean {
  if (ts.isConditionalExpression(node)) return isSql(bare(node.whenTrue));
  return ts.isTaggedTemplateExpression(node) && /(^|\.)sql$/.test(node.tag.getText());
}

/** The statements of a Prisma client call, as far as rights are concerned; none for other calls. */
function callOf(node: ts.CallExpression, models: ReadonlyMap<string, Model>, consts: Consts): string[] {
  const [, name = '', method = ''] =
    /(?:\bdb|\btx)\s*\.(\w+)\s*\.(\w+)$/.exec(node.expression.getText()) ?? [];
  const model = models.get(name);
  if (!model) return [];
  const { table } = model;
  const [argument] = node.arguments;
  const given = argument && objectOf(argument, consts);
  const [key = ''] = model.columns.values();
  const returned = `RETURNING ${[...model.columns.values()].join(', ')}`;
  const columns = (property: string): string[] =>
    (given ? fieldsOf(given, property, consts) : []).map((field) => {
      const column = model.columns.get(field);
      if (column === undefined) throw new Error(`${table} has no field ${field}: ${node.getText()}`);
      return column;
    });
  if (method === 'createMany') return [`${insertInto(table, columns('data'))} ON CONFLICT DO NOTHING`];
  if (method.startsWith('create')) return [`${insertInto(table, columns('data'))} ${returned}`];
  if (method.startsWith('update'))
    return [`UPDATE ${table} SET ${setting(columns('data'))} WHERE ${key} IS NULL ${returned}`];
  if (method.startsWith('delete')) return [`DELETE FROM ${table} WHERE ${key} IS NULL`];
  if (method === 'upsert')
    return [
      `${insertInto(table, columns('create'))} ON CONFLICT (${key}) DO UPDATE SET ${setting(columns('update'))} ${returned}`,
    ];
  const names = given ? namesIn(given, consts) : [];
  const related = names.flatMap((field) => models.get(model.relations.get(field) ?? '')?.table ?? []);
  return [table, ...related].map((each) => `SELECT * FROM ${each}`);
}

const insertInto = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => 'DEFAULT').join(', ')})`;

const setting = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = DEFAULT`).join(', ');

function objectOf(given: ts.Expression, consts: Consts): ts.ObjectLiteralExpression | undefined {
  const node = bare(given);
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isArrayLiteralExpression(node) && node.elements[0]) return objectOf(node.elements[0], consts);
  if (ts.isIdentifier(node)) {
    const meant = consts.get(node.text);
    return meant && objectOf(meant, consts);
  }
  // `rows.map((row) => ({ … }))`
  if (ts.isCallExpression(node)) {
    const [mapped] = node.arguments;
    if (mapped && ts.isArrowFunction(mapped) && !ts.isBlock(mapped.body))
      return objectOf(mapped.body, consts);
  }
  return undefined;
}

/** The fields of a part of the argument, such as `data`. */
function fieldsOf(given: ts.ObjectLiteralExpression, property: string, consts: Consts): string[] {
  const part = given.properties.find((each) => each.name?.getText() === property);
  const value = part && ts.isPropertyAssignment(part) ? objectOf(part.initializer, consts) : undefined;
  if (!value) throw new Error(`${property} is no literal: ${given.getText()}`);
  return value.properties.flatMap((each) => {
    if (!ts.isSpreadAssignment(each)) return each.name?.getText() ?? [];
    const spread = objectOf(each.expression, consts);
    if (!spread) throw new Error(`${each.getText()} is no literal: ${given.getText()}`);
    return spread.properties.flatMap(({ name }) => name?.getText() ?? []);
  });
}

/** Every name in the argument, at any depth. */
function namesIn(given: ts.ObjectLiteralExpression, consts: Consts): string[] {
  return given.properties.flatMap((each) => {
    const name = each.name?.getText() ?? '';
    const value = ts.isPropertyAssignment(each)
      ? objectOf(each.initializer, consts)
      : ts.isShorthandPropertyAssignment(each)
        ? objectOf(each.name, consts)
        : undefined;
    return [name, ...(value ? namesIn(value, consts) : [])];
  });
}
