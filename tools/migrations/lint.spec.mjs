import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lint, migrationsIn, sumOf } from './lint.mjs';
import { usesOf } from './uses.mjs';

const first = {
  name: '20300101000000_first',
  sql: `
    CREATE SEQUENCE "numbers";
    CREATE TABLE "match" ("id" TEXT NOT NULL, "state" TEXT NOT NULL DEFAULT 'formed', "note" TEXT, "old" INTEGER NOT NULL,
      "gone" TEXT, CONSTRAINT "match_pkey" PRIMARY KEY ("id"));
    CREATE TABLE "forgotten" ("id" TEXT NOT NULL);
    CREATE UNIQUE INDEX "match_note" ON "match" ("note");
    CREATE UNIQUE INDEX "match_gone" ON "match" ("gone");
    CREATE INDEX "match_state" ON "match" ("state");
    ALTER TABLE "match" ADD CONSTRAINT "note_there" CHECK ("note" IS NOT NULL);
    CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER "match_refuse" BEFORE UPDATE OF "id" ON "match" EXECUTE FUNCTION "refuse"();`,
};
const schema = `model Match {
  id    String @id
  state String
  note  String? @unique
  old   Int @ignore
  gone  String? @ignore
  dead  String? @ignore

  @@map("match")
}

model Forgotten {
  id String @id

  @@ignore
  @@map("forgotten")
}
`;
/** \`old\` is not in the client, but a statement names it. */
const sources = ['db.$sql`SELECT "old" FROM "match" WHERE "id" = ${id}`', "nextval('numbers')"];

const release = {
  version: '1.0.0',
  lastMigration: first.name,
  migrationsSha256: sumOf([first]),
  ...usesOf([first], schema, sources),
};
const now = Date.UTC(2030, 2, 1);

/** The sentences about one more migration. */
function told(sql, migrations = [first]) {
  const added = sql === null ? [] : [{ name: '20300201000000_next', sql }];
  return lint([...migrations, ...added], release, now).violations.map(
    ({ line, words }) => `${line}: ${words}`,
  );
}

const reason = 'the release before never reads it';

it.each([
  ['DROP TABLE "match"', /DROP TABLE removes match, which release 1\.0\.0 uses/],
  ['DROP TABLE "forgotten"', /DROP TABLE removes forgotten\. If the release before does without it/],
  ['ALTER TABLE "match" DROP COLUMN "state"', /removes match\.state, which release 1\.0\.0 uses/],
  [`-- contract: ${reason}\nALTER TABLE "match" DROP COLUMN "state"`, /which release 1\.0\.0 uses/],
  [`-- contract: ${reason}\nALTER TABLE "match" DROP COLUMN "old"`, /which release 1\.0\.0 uses/],
  [`-- contract: unused\nALTER TABLE "match" DROP COLUMN "gone"`, /needs a reason of 4 words/],
  ['ALTER TABLE "match" RENAME COLUMN "state" TO "phase"', /RENAME takes match\.state away/],
  ['ALTER TABLE "match" RENAME TO "game"', /RENAME takes match away/],
  ['ALTER TABLE "match" ALTER COLUMN "old" TYPE BIGINT', /A new type for match\.old/],
  ['ALTER TABLE "match" ALTER COLUMN "state" SET NOT NULL', /SET NOT NULL scans match/],
  ['ALTER TABLE "match" ALTER COLUMN "id" DROP NOT NULL', /lets match\.id be null/],
  ['ALTER TABLE "match" ALTER COLUMN "state" DROP DEFAULT', /DROP DEFAULT removes the default/],
  ['ALTER TABLE "match" ADD COLUMN "a" TEXT NOT NULL', /match\.a is NOT NULL without a default/],
  ['ALTER TABLE "match" ADD COLUMN "a" TEXT NOT NULL DEFAULT NULL', /without a default/],
  ['ALTER TABLE "match" ADD COLUMN "a" UUID DEFAULT gen_random_uuid()', /differs by row/],
  ['ALTER TABLE "match" ADD COLUMN "a" SERIAL', /computed for every row/],
  ['ALTER TABLE "match" ADD COLUMN "a" INT GENERATED ALWAYS AS ("old" + 1) STORED', /computed for every row/],
  ['ALTER TABLE "match" ADD COLUMN "a" INT UNIQUE', /builds an index under a lock/],
  ['ALTER TABLE "match" ADD COLUMN "a" INT CHECK ("a" > 0)', /scans the table under a lock/],
  ['ALTER TABLE "match" ADD CONSTRAINT "c" CHECK ("old" > 0)', /scans match under a lock/],
  ['ALTER TABLE "match" ADD CONSTRAINT "c" CHECK ("old" > 0) NOT VALID', /columns of match that the release/],
  ['ALTER TABLE "match" ADD CONSTRAINT "c" UNIQUE ("old")', /builds an index under a lock/],
  ['ALTER TABLE "match" DROP CONSTRAINT "match_pkey"', /match_pkey of match, which release 1\.0\.0 uses/],
  ['ALTER TABLE "match" VALIDATE CONSTRAINT "c", ADD COLUMN "a" INT', /VALIDATE CONSTRAINT c scans match/],
  ['ALTER TABLE "match" INHERIT "forgotten"', /AT_AddInherit is not known to be safe/],
  ['CREATE INDEX "i" ON "match" ("old")', /blocks writes to match/],
  ['CREATE UNIQUE INDEX CONCURRENTLY "i" ON "match" ("old")', /unique index i is on columns/],
  ['CREATE INDEX CONCURRENTLY "i" ON "match" ("old"); SELECT 1', /must be the only statement/],
  ['DROP INDEX "match_state"', /waits for a lock/],
  ['DROP INDEX CONCURRENTLY "match_state"', /DROP INDEX removes match_state\. If the release before/],
  [`-- contract: ${reason}\nDROP INDEX CONCURRENTLY "match_note"`, /match_note, which release 1\.0\.0 uses/],
  ['DROP TRIGGER "match_refuse" ON "match"', /removes the trigger match_refuse/],
  ['DROP FUNCTION "refuse"', /removes the function refuse/],
  ['DROP SEQUENCE "numbers"', /numbers, which release 1\.0\.0 uses/],
  [`-- contract: ${reason}\nDROP TABLE "forgotten" CASCADE`, /CASCADE removes what/],
  ['CREATE TRIGGER "t" AFTER INSERT ON "match" EXECUTE FUNCTION "refuse"()', /The trigger t also fires/],
  [
    'CREATE OR REPLACE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$',
    /also changes it for the release before/,
  ],
  ['UPDATE "match" SET "note" = \'x\'', /UPDATE locks all rows of match/],
  ['WITH gone AS (DELETE FROM "match" RETURNING "id") SELECT FROM gone', /DELETE locks all rows of match/],
  ['DELETE FROM "match"', /DELETE locks all rows of match/],
  ...[
    'CREATE TABLE "t" ("id" INT REFERENCES "match" ("id"))',
    'CREATE TABLE "t" ("id" INT, CONSTRAINT "c" FOREIGN KEY ("id") REFERENCES "match" ("id"))',
    'CREATE TABLE "t" ("id" INT); ALTER TABLE "t" ADD CONSTRAINT "c" FOREIGN KEY ("id") REFERENCES "match" ("id")',
    'ALTER TABLE "match" ADD COLUMN "a" TEXT; ALTER TABLE "match" ADD FOREIGN KEY ("a") REFERENCES "match" NOT VALID',
    'ALTER TABLE "match" ADD COLUMN "a" TEXT REFERENCES "match" ("id")',
  ].map((sql) => [sql, /The foreign key .* blocks writes to match until the migration ends/]),
  [
    'INSERT INTO "match" ("id", "old") VALUES (\'m\', 1) ON CONFLICT ("id") DO UPDATE SET "old" = 2',
    /ON CONFLICT DO UPDATE locks all rows of match/,
  ],
  [
    'CREATE TABLE "t" ("id" TEXT); WITH gone AS (DELETE FROM "match" RETURNING "id") UPDATE "t" SET "id" = gone."id" FROM gone',
    /DELETE locks all rows of match/,
  ],
  [
    'CREATE TABLE "t" ("id" TEXT); WITH a AS (UPDATE "match" SET "old" = 1 RETURNING "id") DELETE FROM "t" USING a',
    /UPDATE locks all rows of match/,
  ],
  [
    'DO $$ DECLARE r RECORD; BEGIN FOR r IN DELETE FROM "match" RETURNING "id" LOOP NULL; END LOOP; END $$',
    /DELETE locks all rows of match/,
  ],
  ['TRUNCATE "match"', /TRUNCATE removes the rows/],
  ['REVOKE SELECT ON "match" FROM "muster_queue"', /REVOKE takes rights/],
  ['SET lock_timeout = 5000', /use SET LOCAL/],
  ["SET LOCAL lock_timeout = '0s'", /without lock_timeout/],
  ['LOCK TABLE "match"', /LOCK holds the table/],
  ['BEGIN; SELECT 1; COMMIT', /A migration is one transaction/],
  ['CREATE EXTENSION "pg_trgm"', /CreateExtensionStmt is not known to be safe/],
  [`DO $$ BEGIN DROP TABLE "match"; END $$`, /DROP TABLE removes match/],
  [`DO $$ BEGIN EXECUTE 'DROP TABLE ' || 'match'; END $$`, /EXECUTE hides its statement/],
  ['ALTER TABLE "match" ADD COLUM', /PostgreSQL does not read it/],
])('refuses %s', (sql, words) => {
  expect(told(sql)).toEqual(expect.arrayContaining([expect.stringMatching(words)]));
});

it.each([
  'ALTER TABLE "match" ADD COLUMN "a" TEXT, ADD COLUMN "b" INT NOT NULL DEFAULT 0',
  'ALTER TABLE "match" ADD COLUMN "a" TIMESTAMPTZ NOT NULL DEFAULT now()',
  '-- compatible: the release before never deletes a match\nALTER TABLE "match" ADD COLUMN "a" TEXT REFERENCES "match" ("id")',
  'CREATE TABLE "t" ("id" INT PRIMARY KEY); CREATE TABLE "u" ("id" INT REFERENCES "t" ("id"))',
  'CREATE TABLE "t" ("id" INT PRIMARY KEY); INSERT INTO "t" VALUES (1) ON CONFLICT ("id") DO UPDATE SET "id" = 2',
  'INSERT INTO "match" ("id", "old") VALUES (\'m\', 1) ON CONFLICT DO NOTHING',
  'CREATE FUNCTION "f"() RETURNS void BEGIN ATOMIC DELETE FROM "match"; END',
  "DO $$ DECLARE n INT := 1; BEGIN FOR i IN 1..3 LOOP n := n + i; END LOOP; PERFORM pg_notify('a', 'b'); END $$",
  'ALTER TABLE "match" ALTER COLUMN "state" SET DEFAULT \'new\', SET (fillfactor = 80)',
  'ALTER TABLE "match" ALTER COLUMN "note" SET NOT NULL',
  'CREATE INDEX CONCURRENTLY "i" ON "match" ("old") WHERE "note" IS NULL',
  'CREATE TABLE "t" ("id" INT PRIMARY KEY); CREATE UNIQUE INDEX "i" ON "t" ("id"); ALTER TABLE "t" DROP COLUMN "id"; DROP TABLE "t"',
  'ALTER TABLE "match" ADD COLUMN "a" INT; ALTER TABLE "match" ADD CONSTRAINT "c" CHECK ("a" > 0) NOT VALID',
  `-- A word first.\n-- contract: ${reason}\n-- in any of its statements\nALTER TABLE "match" DROP COLUMN "gone"`,
  `-- contract: ${reason}\nDROP TABLE "forgotten"`,
  `-- contract: ${reason}\nDROP INDEX CONCURRENTLY "match_gone"`,
  '-- compatible: the release before writes positive numbers alone\nALTER TABLE "match" ADD CONSTRAINT "c" CHECK ("old" > 0) NOT VALID',
  `SET LOCAL lock_timeout = '2s'; GRANT SELECT ON "match" TO "muster_queue"`,
  'DO $$ BEGIN GRANT SELECT ON "match" TO "muster_queue"; END $$',
])('takes %s', (sql) => {
  expect(told(sql)).toEqual([]);
});

it('names the line of the statement, counted in characters of any size', () => {
  expect(told('-- Größe\n\nSELECT 1;\n-- more\nDROP TABLE "match"')).toEqual([
    expect.stringMatching(/^5: DROP/),
  ]);
});

it('validates a constraint in a later migration, after which a column may be NOT NULL', () => {
  const add = {
    name: '20300110000000_add',
    sql: '-- compatible: the release before always writes it\nALTER TABLE "match" ADD CONSTRAINT "c" CHECK ("gone" IS NOT NULL) NOT VALID;',
  };
  const validate = { name: '20300111000000_v', sql: 'ALTER TABLE "match" VALIDATE CONSTRAINT "c";' };
  const notNull = 'ALTER TABLE "match" ALTER COLUMN "gone" SET NOT NULL';
  expect(told(notNull, [first, add])).toEqual([expect.stringContaining('SET NOT NULL scans')]);
  expect(told(notNull, [first, add, validate])).toEqual([]);
  expect(told(null, [first, { ...add, sql: `${add.sql} ${validate.sql}` }])).toEqual([
    expect.stringContaining('while this migration holds a lock'),
  ]);
});

it('refuses a changed migration of the release before, and a new one with an earlier time', () => {
  const words = expect.stringContaining('are not those of release 1.0.0');
  expect(told(null, [{ ...first, sql: `${first.sql} SELECT 1;` }])).toEqual([words]);
  expect(told(null, [{ name: '20290101000000_early', sql: 'SELECT 1' }, first])).toEqual([words]);
});

it('refuses a name from the future, unless it follows the last released one within the hour', () => {
  const named = (name) => told(null, [first, { name, sql: 'SELECT 1' }]);
  const words = expect.stringContaining('the time at which the migration was written');
  expect(named('20300301000000_now')).toEqual([]);
  expect(named('20300301000001_later')).toEqual([words]);
  expect(named('later')).toEqual([words]);
  const at = (time) =>
    lint([first, { name: '20300101000100_next', sql: 'SELECT 1' }], release, time).violations;
  expect(at(Date.UTC(2029, 11, 31))).toEqual([]);
});

it('says what is wrong with its own files, without a stack', () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-migrations-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const run = () => spawnSync(process.execPath, ['tools/migrations/lint.mjs', root], { encoding: 'utf8' });
  const said = () => {
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    return stderr;
  };
  expect(said()).toContain('release.json is missing');
  mkdirSync(join(root, 'prisma/migrations/20300101000000_first'), { recursive: true });
  writeFileSync(join(root, 'prisma/release.json'), '{"version":');
  expect(said()).toContain('release.json is not what remember-release.mjs writes');
  writeFileSync(join(root, 'prisma/release.json'), readFileSync('prisma/release.json'));
  expect(said()).toContain('20300101000000_first has no migration.sql');
});

it('the migrations of this checkout run beside the release before', () => {
  const before = JSON.parse(readFileSync('prisma/release.json', 'utf8'));
  expect(lint(migrationsIn('prisma/migrations'), before, Date.now()).violations).toEqual([]);
});
