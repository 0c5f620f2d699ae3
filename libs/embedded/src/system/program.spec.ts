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
  const dist = join(root, 'dist');
  expect(() => programOf('queue', root)).toThrow(/dist\/queue\.js is missing: run `npm run build`/);
  mkdirSync(dist);
  writeFileSync(join(dist, 'queue.js'), '');
  expect(programOf('queue', root)).toBe(join(dist, 'queue.js'));
});
