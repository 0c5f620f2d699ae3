#!/usr/bin/env node
// `node tools/migrations/remember-release.mjs REF`: writes prisma/release.json, which says what the release at a git
// commit or tag has and uses. Run it after a release, for the next one.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sumOf } from './lint.mjs';
import { usesOf } from './uses.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [ref] = process.argv.slice(2);
if (ref === undefined) {
  console.error('Usage: node tools/migrations/remember-release.mjs REF, such as v0.1.0.');
  process.exit(2);
}

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });

let commit;
try {
  commit = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).trim();
} catch {
  console.error(`git knows no commit ${ref} here.`);
  process.exit(1);
}
const show = (path) => git('show', `${commit}:${path}`);
const files = git('ls-tree', '-r', '--name-only', commit, 'apps', 'libs', 'prisma').trim().split('\n');
const migrations = files
  .filter((path) => /^prisma\/migrations\/[^/]+\/migration\.sql$/.test(path))
  .toSorted()
  .map((path) => ({ name: path.split('/')[2], sql: show(path) }));
const sources = files.filter((path) => /^(apps|libs)\/[^/]+\/src\/.*(?<!\.spec)\.ts$/.test(path)).map(show);
const release = {
  version: JSON.parse(show('package.json')).version,
  commit,
  lastMigration: migrations.at(-1).name,
  migrationsSha256: sumOf(migrations),
  ...usesOf(migrations, show('prisma/schema.prisma'), sources),
};
writeFileSync(join(root, 'prisma/release.json'), `${JSON.stringify(release, null, 2)}\n`);
execFileSync(
  process.execPath,
  ['node_modules/prettier/bin/prettier.cjs', '--write', 'prisma/release.json', '--log-level=warn'],
  { cwd: root },
);
console.log(`prisma/release.json: ${release.version}, ${release.lastMigration}`);
