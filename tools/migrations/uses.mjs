// What a release uses of its database, read from its sources.
import { apply, emptyCatalogue } from './catalogue.mjs';
import { statementsOf } from './statements.mjs';

/**
 * What the client of a Prisma schema uses, by table: the columns that it reads and writes, without those that it
 * ignores, and the keys by which it may find rows.
 *
 * @returns {Map<string, { columns: string[], keys: string[][] }>}
 */
export function usesOfSchema(schema) {
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  const names = new Set(models.map(([, name]) => name));
  return new Map(
    models
      .filter(([, , body]) => !/^\s*@@ignore\b/m.test(body))
      .map(([, name, body]) => {
        const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(.*)$/gm)]
          .filter(([, , type, rest]) => !names.has(type) && !/(^|[^@])@ignore\b/.test(rest))
          .map(([, field, , rest]) => ({
            field,
            column: /[^@]@map\("(\w+)"\)/.exec(rest)?.[1] ?? field,
            isKey: /[^@]@(id|unique)\b/.test(rest),
          }));
        const columnOf = new Map(fields.map(({ field, column }) => [field, column]));
        const keys = [...body.matchAll(/^\s*@@(?:id|unique)\((?:fields: )?\[([^\]]*)\]/gm)].map(([, list]) =>
          list.split(',').map((field) => columnOf.get(field.trim()) ?? field.trim()),
        );
        const uses = {
          columns: fields.map(({ column }) => column),
          keys: [...fields.filter(({ isKey }) => isKey).map(({ column }) => [column]), ...keys],
        };
        return [/^\s*@@map\("(\w+)"\)/m.exec(body)?.[1] ?? name, uses];
      }),
  );
}

/** The keys of `INSERT INTO table … ON CONFLICT (…)`, by table. */
export function conflictsOf(source) {
  const found = new Map();
  for (const [, table, , columns] of source.matchAll(
    /\bINSERT INTO "?(\w+)"?((?:(?!\bINSERT INTO\b)[\s\S])*?)\bON CONFLICT \(([^)]*)\)/g,
  ))
    found.set(table, [
      ...(found.get(table) ?? []),
      columns.split(',').map((column) => column.trim().replaceAll('"', '')),
    ]);
  return found;
}

/**
 * What a release uses of its database: columns of its Prisma schema, and what its sources name. A source that names a
 * table and a column is taken to use the column of this table.
 *
 * @param {{ name: string, sql: string }[]} migrations of the release
 * @param {string} schema its prisma/schema.prisma
 * @param {string[]} sources texts that may hold SQL
 */
export function usesOf(migrations, schema, sources) {
  const catalogue = emptyCatalogue();
  for (const { name, sql } of migrations)
    for (const statement of statementsOf(sql)) apply(catalogue, statement, false, name);
  const words = sources.map((source) => new Set(source.match(/\w+/g)));
  const bySchema = usesOfSchema(schema);
  const tables = {};
  for (const [table, { columns }] of catalogue.tables) {
    const naming = words.filter((each) => each.has(table));
    const used = [...columns.keys()].filter(
      (column) => bySchema.get(table)?.columns.includes(column) || naming.some((each) => each.has(column)),
    );
    if (bySchema.has(table) || naming.length > 0) tables[table] = used.toSorted();
  }
  const objects = [
    ...catalogue.indexes.keys(),
    ...catalogue.functions.keys(),
    ...[...catalogue.tables.values()].flatMap(({ constraints }) => [...constraints.keys()]),
    ...sequencesOf(migrations),
  ];
  const conflicts = Object.fromEntries([...bySchema].map(([table, { keys }]) => [table, keys]));
  for (const source of sources)
    for (const [table, keys] of conflictsOf(source))
      conflicts[table] = unique([...(conflicts[table] ?? []), ...keys]);
  return {
    tables: sorted(tables),
    names: objects.filter((name) => words.some((each) => each.has(name))).toSorted(),
    conflicts: sorted(conflicts),
  };
}

const sequencesOf = (migrations) =>
  migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE SEQUENCE "?(\w+)"?/g)].map(([, name]) => name));

const unique = (keys) => [...new Map(keys.map((key) => [key.join(), key])).values()];

const sorted = (record) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
