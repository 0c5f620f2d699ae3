// Infers what Nx knows of a package from its files: its layer as a tag, and its targets. How each target runs stands once for
// all in `targetDefaults` of nx.json, so that a new package needs a package.json and no more.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlesOf } from '../prepare/programs.mjs';
import { layerOf } from './layers.mjs';

/** A library that is published is compiled by tsc, with its declarations. */
const isPublished = (root, folder) => existsSync(join(root, folder, 'tsconfig.build.json'));

function generatorIn(root, folder) {
  return ['generate-client.mjs', 'generate-scripts.mjs'].find((name) => existsSync(join(root, folder, name)));
}

/** The targets of a package; `{}` is a target whose defaults say all. */
function targetsOf(root, folder, hasProgram) {
  const generator = generatorIn(root, folder);
  const build = isPublished(root, folder)
    ? {
        command: `node node_modules/typescript-native/bin/tsc -b ${folder}/tsconfig.build.json`,
        // The compiler builds what it refers to as well, but only its own output is restored from the cache.
        dependsOn: ['generate', '^generate', '^build'],
      }
    : { command: `node tools/bundle.mjs ${folder}`, dependsOn: ['generate', '^generate'] };
  return {
    lint: {},
    types: {},
    test: {},
    ...(hasProgram || isPublished(root, folder) ? { build } : {}),
    ...(generator ? { generate: { command: `node ${folder}/${generator}` } } : {}),
  };
}

/** @type {import('nx/src/project-graph/plugins').CreateNodesV2} */
export const createNodesV2 = [
  '{apps,libs}/*/package.json',
  (manifests, _options, { workspaceRoot }) => {
    const bundles = bundlesOf(workspaceRoot);
    return manifests.map((manifest) => {
      const root = dirname(manifest);
      const project = {
        tags: [`layer:${layerOf(root)}`],
        targets: targetsOf(workspaceRoot, root, bundles.has(root)),
      };
      return [manifest, { projects: { [root]: project } }];
    });
  },
];
export const createNodes = createNodesV2;
export const name = 'muster';
