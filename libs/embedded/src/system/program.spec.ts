import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programOf } from './program.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-program-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('an app runs from its bundle; without one the error names the build command', () => {
  const dist = join(root, 'apps/queue/dist');
  expect(() => programOf('queue', root)).toThrow(
    /apps\/queue\/dist\/main\.js is missing: run `npm run build`/,
  );
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'main.js'), '');
  expect(programOf('queue', root)).toBe(join(dist, 'main.js'));
});
