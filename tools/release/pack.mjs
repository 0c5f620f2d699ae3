#!/usr/bin/env node
// Packs the command line for npm: `npm install -g muster-VERSION.tgz` installs `muster` with all that it loads, as the image
// has it. It needs nothing from a registry then.
//
//   node tools/release/pack.mjs FOLDER     writes FOLDER/muster-VERSION.tgz and prints its path
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundlePackage } from '../bundle.mjs';
import { checkout } from '../prepare/checkout.mjs';

const [, , target = '.'] = process.argv;
const apps = ['apps/cli', 'apps/demo'];
/** `owner/name`, where a workflow packs. */
const repository = process.env.GITHUB_REPOSITORY;
const folder = mkdtempSync(join(tmpdir(), 'muster-pack-'));
try {
  await Promise.all(apps.map(bundlePackage));
  execFileSync(process.execPath, [join(checkout, 'docker/assemble.mjs'), folder, ...apps]);
  // Programs of the image find files by the names of our packages; the command line does not.
  rmSync(join(folder, 'node_modules/@muster'), { recursive: true, force: true });
  for (const name of ['apps', 'libs']) rmSync(join(folder, name), { recursive: true, force: true });
  const modules = installedIn(join(folder, 'node_modules'));
  const { version, license } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const manifest = {
    name: 'muster',
    version,
    description: 'The command line of Muster, a matchmaking game coordinator.',
    license,
    // npm compares it with the provenance.
    ...(repository ? { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } } : {}),
    type: 'module',
    engines: { node: '^20.19 || >=22.12' },
    bin: { muster: 'bin/muster.js' },
    files: ['bin', 'dist', 'prisma', 'sbom.cdx.json', 'LICENCES.txt'],
    dependencies: Object.fromEntries(modules.map(({ name, version: its }) => [name, its])),
    bundleDependencies: modules.map(({ name }) => name),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/muster.js'), "#!/usr/bin/env node\nimport '../dist/main.js';\n");
  chmodSync(join(folder, 'bin/muster.js'), 0o755);
  mkdirSync(resolve(target), { recursive: true });
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(target)],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  console.log(join(resolve(target), JSON.parse(packed)[0].filename));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The modules of a folder, those of scopes included. */
function installedIn(modules) {
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  );
  return names.map((name) => JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')));
}
