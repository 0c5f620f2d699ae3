#!/usr/bin/env node
// `npm run lint:migrations`: refuses a migration that breaks replicas of the release before, or that holds a lock for
// long. docs/upgrades.md has the rules; prisma/release.json says what the release before has and uses.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apply, emptyCatalogue } from './catalogue.mjs';
import { violationsOf } from './rules.mjs';
import { statementsOf } from './statements.mjs';

/** Files that are not as they should be, in a sentence. */
class Unreadable extends Error {}

/** @returns {{ name: string, sql: string }[]} in the order in which they are applied */
export function migrationsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((name) => {
      const file = join(folder, name, 'migration.sql');
      if (!existsSync(file)) throw new Unreadable(`${name} has no migration.sql.`);
      return { name, sql: readFileSync(file, 'utf8') };
    });
}

/** A sum over migrations, names and text. */
export const sumOf = (migrations) =>
  migrations
    .reduce((hash, { name, sql }) => hash.update(`${name}\0${sql}\0`), createHash('sha256'))
    .digest('hex');

/** The time in a migration's name, in milliseconds since the epoch. */
const timeOf = (name) =>
  Date.parse(name.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_.*$/, '$1-$2-$3T$4:$5:$6Z'));

/**
 * The latest time that a new migration may have: now, or an hour after the last released one, which may have been ahead
 * of its day.
 */
const latest = ({ lastMigration }, now) => Math.max(now, timeOf(lastMigration) + 3_600_000);

/**
 * Checks the migrations since the release before.
 *
 * @param {{ name: string, sql: string }[]} migrations all of them, in order
 * @param {object} release the content of prisma/release.json
 * @param {number} now in milliseconds since the epoch
 * @returns {{ checked: string[], violations: { migration: string, line: number, words: string }[] }}
 */
export function lint(migrations, release, now) {
  const catalogue = emptyCatalogue();
  const violations = [];
  const found = (migration, line, words) => violations.push({ migration, line, words });
  const before = migrations.filter(({ name }) => name <= release.lastMigration);
  if (sumOf(before) !== release.migrationsSha256)
    found(
      before.at(-1)?.name ?? release.lastMigration,
      1,
      `The migrations up to ${release.lastMigration} are not those of release ${release.version}. A migration that was released is never changed, and a new one has a later time in its name.`,
    );
  for (const { name, sql } of migrations) {
    const isNew = name > release.lastMigration;
    if (isNew && !(timeOf(name) <= latest(release, now)))
      found(
        name,
        1,
        'The name begins with the time at which the migration was written, as yyyymmddhhmmss in UTC.',
      );
    let statements;
    try {
      statements = statementsOf(sql);
    } catch (error) {
      found(name, 1, `PostgreSQL does not read it: ${error.message}`);
      continue;
    }
    const altered = new Set();
    for (const statement of statements) {
      const isAlone = statements.length === 1;
      if (isNew)
        for (const words of violationsOf(statement, { catalogue, release, isAlone, altered }))
          found(name, statement.line, words);
      apply(catalogue, statement, isNew, name);
      if (statement.kind === 'AlterTableStmt') altered.add(statement.node.relation.relname);
    }
  }
  const checked = migrations.map(({ name }) => name).filter((name) => name > release.lastMigration);
  return { checked, violations };
}

/** The content of prisma/release.json. @throws Unreadable */
function releaseIn(file) {
  const command = '`node tools/migrations/remember-release.mjs REF`';
  if (!existsSync(file)) throw new Unreadable(`${file} is missing: ${command} writes it.`);
  try {
    const release = JSON.parse(readFileSync(file, 'utf8'));
    const { version, lastMigration, migrationsSha256, tables, names, conflicts } = release;
    if (
      [version, lastMigration, migrationsSha256, tables, names, conflicts].every((each) => each !== undefined)
    )
      return release;
  } catch {
    // The sentence is the same.
  }
  throw new Unreadable(`${file} is not what remember-release.mjs writes: ${command} writes it anew.`);
}

/** @returns the exit code */
function main(root) {
  try {
    const release = releaseIn(join(root, 'prisma/release.json'));
    const { checked, violations } = lint(migrationsIn(join(root, 'prisma/migrations')), release, Date.now());
    for (const { migration, line, words } of violations)
      console.error(`prisma/migrations/${migration}/migration.sql:${line}: ${words}`);
    console.log(
      `${checked.length} migrations since release ${release.version}, ${violations.length} violations`,
    );
    return violations.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    console.error(error.message);
    return 1;
  }
}

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly)
  process.exitCode = main(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
