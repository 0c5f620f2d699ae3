import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { faults } from './faults.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('every planted fault has its place in the code', () => {
  const stale = faults.filter(
    ({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2,
  );
  expect(stale.map(({ name }) => name)).toEqual([]);
});
