import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { longFiles, rankOf } from './longest-first.js';

it('files that are known to take long exist, and come before all others in the order of the list', () => {
  expect(longFiles.filter((path) => !existsSync(path))).toEqual([]);
  const [first = '', second = ''] = longFiles;
  const paths = ['test/e2e/cors.spec.ts', second, first].map((path) => resolve(path));
  expect(paths.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(paths.toReversed());
});
