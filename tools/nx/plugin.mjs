// Infers a package's layer, as a tag, and its targets from its files. `targetDefaults` of nx.json define how each
// target runs, so a new package needs only a package.json.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlesOf } from '../prepare/programs.mjs';
import { layerOf } from './layers.mjs';

/** A published library is compiled by tsc, with its declarations. */
const isPublished = (root, folder) => existsSync(join(root, folder, 'tsconfig.build.json'));

/** The pages of the dashboard are built by Vite. */
const hasPages = (root, folder) => existsSync(join(root, folder, 'vite.config.ts'));

/** What generates sources of a package. */
function generatorOf(root, folder) {
  const own = ['generate-client.mjs', 'generate-rpc.mjs'].find((name) =>
    existsSync(join(root, folder, name)),
  );
  if (own) return `${folder}/${own}`;
  return existsSync(join(root, folder, 'lua')) ? `tools/generate-scripts.mjs ${folder}` : null;
}

/** The targets of a package; `{}` uses the defaults. */
function targetsOf(root, folder, hasProgram) {
  const generator = generatorOf(root, folder);
  const build = isPublished(root, folder)
    ? {
        command: `node node_modules/typescript-native/bin/tsc -b ${folder}/tsconfig.build.json`,
        // The compiler also builds referenced projects, but only its own output is restored from the cache.
        dependsOn: ['generate', '^generate', '^build'],
      }
    : { command: `node tools/bundle.mjs ${folder}`, dependsOn: ['generate', '^generate'] };
  return {
    lint: {},
    types: {},
    test: {},
    ...(hasProgram || isPublished(root, folder) ? { build } : {}),
    ...(generator ? { generate: { command: `node ${generator}` } } : {}),
  };
}

/** @type {import('nx/src/project-graph/plugins').CreateNodesV2} */
export const createNodesV2 = [
  '{apps,libs,libs/lab}/*/package.json',
  (manifests, _options, { workspaceRoot }) => {
    const bundles = bundlesOf(workspaceRoot);
    return manifests.map((manifest) => {
      const root = dirname(manifest);
      const project = {
        tags: [`layer:${layerOf(root)}`],
        targets: targetsOf(workspaceRoot, root, bundles.has(root) || hasPages(workspaceRoot, root)),
      };
      return [manifest, { projects: { [root]: project } }];
    });
  },
];
export const createNodes = createNodesV2;
export const name = 'muster';
