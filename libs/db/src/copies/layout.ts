import type pg from 'pg';

type Connection = InstanceType<typeof pg.Client>;

/** A table, with the columns that have values of their own. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A sequence, and where it stands. */
export interface Sequence {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** Kept by the migrations themselves. */
const ownTable = '_prisma_migrations';

/** @returns the name, as a part of a statement */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Sorts so that a table comes after those that its rows refer to. A table may refer to itself. */
function parentsFirst(names: readonly string[], parents: ReadonlyMap<string, readonly string[]>): string[] {
  const placed = new Set<string>();
  const visit = (name: string, above: ReadonlySet<string>): void => {
    if (placed.has(name) || above.has(name)) return;
    for (const parent of parents.get(name) ?? []) visit(parent, new Set([...above, name]));
    placed.add(name);
  };
  for (const name of names) visit(name, new Set());
  return [...placed];
}

/** Reads the tables of a database, those that others refer to first. Tables outside the schema `public` are not Muster's. */
export async function readTables(connection: Connection): Promise<Table[]> {
  const { rows: tables } = await connection.query<{ name: string; columns: string[] }>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> $1
       AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY relname ORDER BY relname`,
    [ownTable],
  );
  const { rows: keys } = await connection.query<{ child: string; parents: string[] }>(
    `SELECT child.relname AS child, array_agg(DISTINCT parent.relname::text) AS parents
     FROM pg_constraint JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace GROUP BY 1`,
  );
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
  const parents = new Map(keys.map((key) => [key.child, key.parents]));
  return parentsFirst([...columnsOf.keys()], parents).map((name) => ({
    name,
    columns: columnsOf.get(name) ?? [],
  }));
}

/** Reads the sequences of a database. They are not part of a snapshot: a later read is never too low. */
export async function readSequences(connection: Connection): Promise<Sequence[]> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: at } = await connection.query<{ value: string; isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${quoted(name)}`,
    );
    if (at[0]) sequences.push({ name, ...at[0] });
  }
  return sequences;
}

/** The names of the applied migrations, in order; null if the database has none, not even the table of them. */
export async function readMigrationNames(connection: Connection): Promise<string[] | null> {
  const { rows: there } = await connection.query(`SELECT 1 WHERE to_regclass($1) IS NOT NULL`, [ownTable]);
  if (there.length === 0) return null;
  const { rows } = await connection.query<{ name: string }>(
    `SELECT migration_name AS name FROM ${ownTable} WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
