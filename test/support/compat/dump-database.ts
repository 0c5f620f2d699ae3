import { createDb } from '../prisma.js';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The rows of a database as INSERTs, for a database with the same tables.
 *
 * Times are written relative to `now()`, so that they keep their distance from the moment of insertion.
 */
export async function dumpDatabase(url: string): Promise<string> {
  const db = createDb(url, { maxConnections: 1 });
  try {
    return await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
        const columns = await tx.$queryRaw<Column[]>`
          SELECT table_name AS "table", column_name AS name, udt_name AS type FROM information_schema.columns
          JOIN pg_tables ON schemaname = table_schema AND tablename = table_name
          WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY table_name, ordinal_position`;
        const lines: string[] = [];
        for (const table of new Set(columns.map((column) => column.table))) {
          const ofTable = columns.filter((column) => column.table === table);
          const values = ofTable.map(literalOf).join(` || ', ' || `);
          const rows = await tx.$queryRawUnsafe<{ row: string }[]>(
            `SELECT ${values} AS row FROM ${quoted(table)} ORDER BY 1`,
          );
          const names = ofTable.map(({ name }) => quoted(name)).join(', ');
          for (const { row } of rows) lines.push(`INSERT INTO ${quoted(table)} (${names}) VALUES (${row});`);
        }
        const sequences = await tx.$queryRaw<{ name: string; value: bigint | null }[]>`
          SELECT sequencename AS name, last_value AS value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`;
        for (const { name, value } of sequences)
          if (value !== null) lines.push(`SELECT setval('${quoted(name)}', ${value});`);
        return `${lines.join('\n')}\n`;
      },
      { timeout: 60_000 },
    );
  } finally {
    await db.$disconnect();
  }
}

/** SQL that produces the literal of a column's value. */
function literalOf({ name, type }: Column): string {
  const column = quoted(name);
  if (type !== 'timestamptz') return `quote_nullable(${column}::text)`;
  return `CASE WHEN ${column} IS NULL THEN 'NULL' ELSE
    'now() - interval ''' || round(extract(epoch FROM now() - ${column})::numeric, 3) || ' s''' END`;
}
