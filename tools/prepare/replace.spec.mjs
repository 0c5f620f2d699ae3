import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceBundles } from './replace.mjs';

let root;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'muster-replace-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function fill(folder, files) {
  mkdirSync(join(root, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, folder, name), text);
}

const replace = () => replaceBundles(join(root, 'dist'), join(root, 'dist.new'));

describe('a new build', () => {
  it('leaves the chunks of the one before to the programs that run from it', () => {
    fill('dist', {
      'cli.js': 'old',
      'jobs-Bd1IhZLz.js': 'old',
      'jobs-Bd1IhZLz.js.map': 'old',
      'same-aaaaaaaa.js': 'old',
      'gone.js': 'old',
      'long-ago-bbbbbbbb.js': 'old',
    });
    utimesSync(join(root, 'dist', 'long-ago-bbbbbbbb.js'), 0, 0);
    fill('dist.new', { 'cli.js': 'new', 'jobs-cccccccc.js': 'new', 'same-aaaaaaaa.js': 'new' });
    replace();
    const names = readdirSync(join(root, 'dist'));
    expect(
      Object.fromEntries(names.map((name) => [name, readFileSync(join(root, 'dist', name), 'utf8')])),
    ).toEqual({
      'cli.js': 'new',
      'jobs-Bd1IhZLz.js': 'old',
      'jobs-Bd1IhZLz.js.map': 'old',
      'jobs-cccccccc.js': 'new',
      'same-aaaaaaaa.js': 'new',
    });
    expect(readdirSync(root)).toEqual(['dist']);
  });

  it('may be the first', () => {
    fill('dist.new', { 'cli.js': 'new' });
    replace();
    expect(readdirSync(join(root, 'dist'))).toEqual(['cli.js']);
  });
});
