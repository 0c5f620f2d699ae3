import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dependenciesOf } from '../dev/affected.mjs';
import { checkout } from '../prepare/checkout.mjs';
import { layerOf, layers } from './layers.mjs';
import { packagesOf, reduced, rowsOf } from './picture.mjs';

it('a package depends on no outer layer; only a host depends on apps', () => {
  const depth = (folder) => layers.indexOf(layerOf(folder));
  const wrong = [...dependenciesOf(checkout)].flatMap(([folder, needs]) =>
    needs
      .filter(
        (other) => depth(other) < depth(folder) || (layerOf(other) === 'app' && layerOf(folder) !== 'host'),
      )
      .map((other) => `${folder} → ${other}`),
  );
  expect(wrong).toEqual([]);
});

const node = (name, layer) => [
  `@muster/${name}`,
  { name: `@muster/${name}`, data: { tags: [`layer:${layer}`] } },
];
const graph = {
  nodes: Object.fromEntries([
    node('cli', 'app'),
    node('lab-simulation', 'lab'),
    node('solver', 'pure'),
    node('domain', 'domain'),
    ['tests', { name: 'tests', data: { tags: ['layer:test'] } }],
  ]),
  dependencies: {
    '@muster/cli': [
      { target: '@muster/solver' },
      { target: '@muster/lab-simulation' },
      { target: '@muster/domain' },
    ],
    '@muster/lab-simulation': [{ target: '@muster/solver' }],
    // By a spec.
    '@muster/solver': [{ target: '@muster/domain' }, { target: '@muster/lab-simulation' }],
    tests: [{ target: '@muster/cli' }],
  },
};

it('the picture has packages in rows, dependents above dependencies, and no redundant lines', () => {
  const packages = packagesOf(graph);
  expect(rowsOf(packages).map(({ names }) => names)).toEqual([
    ['cli'],
    ['lab-simulation'],
    ['solver'],
    ['domain'],
  ]);
  expect(Object.fromEntries(reduced(packages.needs))).toEqual({
    cli: ['lab-simulation'],
    'lab-simulation': ['solver'],
    solver: ['domain'],
    domain: [],
  });
});

it('docs/packages.svg is up to date with nx graph', { timeout: 120_000 }, () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(checkout, 'tools/nx/picture.mjs'), '--check'],
    {
      cwd: checkout,
      encoding: 'utf8',
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
