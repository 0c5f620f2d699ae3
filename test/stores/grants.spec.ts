import { roleOf, roleServices, type RoleService, verbatim } from '@muster/db';
import { errorCodes } from '@muster/domain';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { migratedDatabase, TestDatabase } from '../support/database.js';
import { type Statement, statementsOf } from '../support/statements.js';
import type { Db } from '../support/prisma.js';

/** A privilege that a role has in the database. */
interface Grant {
  readonly table: string;
  readonly privilege: string;
  /** Of one column; null: of all. */
  readonly column: string | null;
}

const name = ({ table, privilege, column }: Grant): string =>
  `${privilege}${column === null ? '' : ` (${column})`} ON ${table}`;

/** What a service sends, with what it shares with others. The queue has no outbox. */
const statements = new Map<RoleService, Statement[]>(
  roleServices.map((service) => [
    service,
    statementsOf([
      `apps/${service}/src`,
      'libs/db/src/migrations/migrated.ts',
      'libs/db/src/operators/audit.ts',
      'libs/db/src/operators/enrolment.ts',
      'libs/db/src/operators/operator-keys.ts',
      ...(service === 'queue' ? [] : ['libs/db/src/outbox.ts', 'libs/platform/src/traces/match-traces.ts']),
      ...(service === 'allocator' || service === 'rating' ? ['libs/platform/src/habits/habit-notes.ts'] : []),
    ]),
  ]),
);
const statementsBy = (service: RoleService): Statement[] => statements.get(service) ?? [];

/**
 * Whether a statement of any service names a column, other than to return it. A migration grants a new column before the code that
 * writes it, so its grants are judged once it is named.
 */
const isNamed = (column: string): boolean =>
  [...statements.values()]
    .flat()
    .some(({ sql }) => new RegExp(`\\b${column}\\b`).test(sql.replace(/RETURNING[\s\S]*/, '')));

let url: string;
beforeAll(async () => {
  url = await migratedDatabase(inject('postgresUrl'));
  const database = new TestDatabase(url);
  // Planning a statement checks the rights that it needs, and changes nothing.
  await database.db.$executeRaw`
    CREATE FUNCTION refusal(statement text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE 'EXPLAIN (GENERIC_PLAN) ' || statement;
      RETURN NULL;
    EXCEPTION WHEN insufficient_privilege THEN
      RETURN SQLERRM;
    END $$`;
  await database.close();
});

/** Connections of the database's owner, closed when the test is over. */
function owner(): Db {
  const database = new TestDatabase(url);
  onTestFinished(() => database.close());
  return database.db;
}

class Undone extends Error {}

/** Runs statements as a service, after what is given. Nothing of it stays. @returns why some were refused, with their places */
async function refusals(
  db: Db,
  service: RoleService,
  of: readonly Statement[],
  before: string[] = [],
): Promise<string[]> {
  const found: string[] = [];
  await db
    .$transaction(
      async (tx) => {
        for (const sql of before) await tx.$executeRawUnsafe(sql);
        await tx.$executeRawUnsafe(`SET LOCAL ROLE ${roleOf(service)}`);
        const rows = await tx.$queryRaw<{ at: string; why: string }[]>`
          SELECT * FROM (
            SELECT at, refusal(sql) AS why FROM unnest(${of.map(({ at }) => at)}::text[], ${of.map(({ sql }) => sql)}::text[]) AS each (at, sql)
          ) AS checked WHERE why IS NOT NULL`;
        found.push(...rows.map(({ at, why }) => `${at}: ${why}`));
        throw new Undone();
      },
      { timeout: 30_000 },
    )
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return found;
}

async function grantsOf(db: Db, service: RoleService, kind: 'r' | 'S'): Promise<Grant[]> {
  return db.$queryRaw<Grant[]>`
    SELECT relname AS table, acl.privilege_type AS privilege, NULL AS column
    FROM pg_class, aclexplode(relacl) AS acl
    WHERE relkind = ${kind}::"char" AND acl.grantee = ${roleOf(service)}::regrole
    UNION ALL
    SELECT relname, acl.privilege_type, attname FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl) AS acl
    WHERE relkind = ${kind}::"char" AND acl.grantee = ${roleOf(service)}::regrole
    ORDER BY 1, 2, 3`;
}

describe('the statements of a service', () => {
  it.each(roleServices)('of %s are found', (service) => {
    expect(statementsBy(service).length).toBeGreaterThan(25);
  });

  it.each(roleServices)('of %s are all granted to its role', async (service) => {
    expect(await refusals(owner(), service, statementsBy(service))).toEqual([]);
  });

  it.each(roleServices)('of %s need every grant that its role has', async (service) => {
    const db = owner();
    const unused: string[] = [];
    for (const grant of await grantsOf(db, service, 'r')) {
      const { table, privilege, column } = grant;
      if (column !== null && !isNamed(column)) continue;
      const revoke = `REVOKE ${privilege}${column === null ? '' : ` ("${column}")`} ON "${table}" FROM ${roleOf(service)}`;
      const about = statementsBy(service).filter(({ sql }) => new RegExp(`\\b${table}\\b`).test(sql));
      if ((await refusals(db, service, about, [revoke])).length === 0) unused.push(name(grant));
    }
    expect(unused).toEqual([]);
  });

  it.each(roleServices)('of %s use the sequences that its role may use, and no other', async (service) => {
    const db = owner();
    const sql = statementsBy(service)
      .map((statement) => statement.sql)
      .join('\n');
    const serial = await db.$queryRaw<{ table: string; sequence: string }[]>`
      SELECT refobjid::regclass::text AS table, objid::regclass::text AS sequence FROM pg_depend
      JOIN pg_class ON pg_class.oid = objid WHERE relkind = 'S' AND deptype = 'a'`;
    const used = [
      ...[...sql.matchAll(/nextval\('(\w+)'/g)].map(([, sequence]) => `USAGE ON ${sequence}`),
      ...[...sql.matchAll(/setval\('(\w+)'/g)].map(([, sequence]) => `UPDATE ON ${sequence}`),
      ...[...sql.matchAll(/SELECT last_value\b.* FROM (\w+)/g)].map(
        ([, sequence]) => `SELECT ON ${sequence}`,
      ),
      ...serial
        .filter(({ table }) => sql.includes(`INSERT INTO ${table} `))
        .map(({ sequence }) => `USAGE ON ${sequence}`),
    ];
    expect((await grantsOf(db, service, 'S')).map(name).toSorted()).toEqual([...new Set(used)].toSorted());
  });
});

/** Tables that no service's role may write. */
async function ownerless(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ table: string }[]>`
    SELECT relname AS table FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' AND NOT EXISTS (
      SELECT FROM unnest(${roleServices.map(roleOf)}::text[]) AS role
      WHERE has_table_privilege(role, pg_class.oid, 'INSERT, UPDATE, DELETE') OR has_any_column_privilege(role, pg_class.oid, 'INSERT, UPDATE'))`;
  return rows.map(({ table }) => table).toSorted();
}

describe('a table', () => {
  it('is written by a service: a migration that makes one grants it', async () => {
    const db = owner();
    // Commands of the operator write these, as the owner.
    const ofOperators = ['erasure', 'legal_hold'];
    expect(await ownerless(db)).toEqual(ofOperators);
    await db.$executeRaw`CREATE TABLE planted (id int)`;
    onTestFinished(async () => void (await db.$executeRaw`DROP TABLE planted`));
    expect(await ownerless(db)).toEqual([...ofOperators, 'planted']);
  });

  it('is emptied, changed and given triggers by nobody but its owner', async () => {
    const db = owner();
    const rows = await db.$queryRaw<{ role: string; table: string }[]>`
      SELECT role, relname AS table FROM pg_class, unnest(${roleServices.map(roleOf)}::text[]) AS role
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND has_table_privilege(role, pg_class.oid, 'TRUNCATE, REFERENCES, TRIGGER')`;
    expect(rows).toEqual([]);
  });
});

/** Writes to tables, or to columns, that belong to another service. */
const foreign: Readonly<Record<RoleService, readonly string[]>> = {
  queue: [
    `UPDATE match SET state = 'void'`,
    `INSERT INTO outbox (owner, queue, job_id, payload) VALUES ('rating', 'q', 'j', '{}')`,
    `INSERT INTO rating_pool (name) VALUES ('mine')`,
  ],
  assignment: [
    `UPDATE match SET state = 'rated'`,
    `UPDATE match_player SET mu = 50`,
    `UPDATE session SET state = 'ended'`,
    `UPDATE backfill SET seats = 9`,
    'DELETE FROM live_player',
  ],
  allocator: [
    `UPDATE match SET prediction = '{1}'`,
    `INSERT INTO match (id, origin, pool, state) VALUES ('m', 'queue', 'p', 'formed')`,
    `UPDATE rating SET matches = 0`,
    'UPDATE match_player SET team = 1',
  ],
  rating: [
    `UPDATE match SET server_id = 's'`,
    `UPDATE session SET state = 'ended'`,
    `INSERT INTO queue_rules (queue, version, rules, why, applies_to, created_at) VALUES ('q', 1, '{}', '', 'all', now())`,
    'TRUNCATE rating_change',
  ],
};

/** Tries each statement. @returns those that do not fail with that SQLSTATE */
async function accepted(db: Db, all: readonly string[], code: string): Promise<string[]> {
  const found: string[] = [];
  for (const sql of all) {
    const failed = await db.$sql.$executeRaw(verbatim(sql)).then(
      () => false,
      (error: unknown) => errorCodes(error).includes(code),
    );
    if (!failed) found.push(sql);
  }
  return found;
}

describe('a write to what another service owns', () => {
  it.each(roleServices)('is refused by the database: %s', async (service) => {
    const database = new TestDatabase(url);
    onTestFinished(() => database.close());
    const db = database.as(service);
    expect(await accepted(db, foreign[service], '42501')).toEqual([]);
  });

  it('is refused where a row lock needed the right: keys do not change', async () => {
    const database = new TestDatabase(url);
    onTestFinished(() => database.close());
    const planted = [
      `UPDATE session SET id = 'other'`,
      'UPDATE outbox SET id = 1',
      `UPDATE proposal_verdict SET match_id = 'm'`,
    ];
    // P0001: by the trigger.
    expect(await accepted(database.as('assignment'), planted, 'P0001')).toEqual([]);
  });
});
