#!/usr/bin/env node
// Sets the next version in every package, and moves the summaries of its changesets to CHANGELOG.md. `changeset
// version` writes one changelog per package; Muster is one product with one version and one changelog, so that part is
// disabled in .changeset/config.json and done here.
import getReleasePlan from '@changesets/get-release-plan';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryOf, withEntry } from './changelog.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

function edit(path, change) {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const { changesets, releases } = await getReleasePlan(root);
const [release] = releases.filter(({ type }) => type !== 'none');
if (release === undefined) {
  console.error('No changeset requires a release. `npx changeset` adds one.');
  process.exitCode = 1;
} else {
  const version = release.newVersion;
  edit('CHANGELOG.md', (text) =>
    withEntry(text, entryOf(version, new Date().toISOString().slice(0, 10), changesets)),
  );
  run(process.execPath, 'node_modules/@changesets/cli/bin.js', 'version');
  edit('package.json', (text) => text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`));
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
  run(
    process.execPath,
    'node_modules/prettier/bin/prettier.cjs',
    '--write',
    'CHANGELOG.md',
    'apps',
    'libs',
    '--log-level=warn',
  );
  console.log(
    `Muster ${version}: check the diff, commit it, and tag the commit v${version}. Then run \`node tools/migrations/remember-release.mjs v${version}\` and commit prisma/release.json.`,
  );
}
