import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { affected, dependenciesOf, processesOf } from './affected.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-dev-'));
  const packages = {
    'libs/low': [],
    'libs/mid': ['@muster/low'],
    'apps/a': ['@muster/mid', 'zod'],
    'apps/b': [],
  };
  for (const [folder, needs] of Object.entries(packages)) {
    mkdirSync(join(root, folder), { recursive: true });
    const dependencies = Object.fromEntries(needs.map((name) => [name, '0.1.0']));
    const manifest = { name: `@muster/${folder.split('/')[1]}`, dependencies };
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('a change affects its package and all direct and indirect dependents', () => {
  const dependencies = dependenciesOf(root);
  const apps = ['apps/a', 'apps/b'];
  expect(affected(dependencies, new Set(['libs/low']), apps)).toEqual(['apps/a']);
  expect(affected(dependencies, new Set(['apps/b']), apps)).toEqual(['apps/b']);
  expect(affected(dependencies, new Set(['libs/other']), apps)).toEqual([]);
});

it('all replicas of an app are restarted, and no other process', () => {
  expect(processesOf('queue', { queue: 1, rating: 2 })).toEqual(['queue']);
  expect(processesOf('queue', { 'queue-1': 1, 'queue-2': 2, 'queue-x': 3, edge: 4 })).toEqual([
    'queue-1',
    'queue-2',
  ]);
});
