import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { longFiles, mixed } from './longest-first.js';

it('files that are known to take long exist, and come before all others in the order of the list', () => {
  expect(longFiles.filter((path) => !existsSync(path))).toEqual([]);
  const [first = '', second = ''] = longFiles;
  const paths = ['test/e2e/cors.spec.ts', second, first].map((path) => resolve(path));
  expect(mixed(paths, (path) => path)).toEqual(paths.toReversed());
});

it('kinds of tests take turns in proportion to their numbers', () => {
  const units = ['a', 'b', 'c', 'd'].map((name) => `libs/solver/src/${name}.spec.ts`);
  const [a = '', b = '', c = '', d = ''] = units;
  const [x, y, z] = ['test/stores/x.spec.ts', 'test/e2e/y.spec.ts', 'test/e2e/z.spec.ts'];
  expect(mixed([x, ...units, y, z], (path) => path)).toEqual([a, y, b, x, c, z, d]);
});
