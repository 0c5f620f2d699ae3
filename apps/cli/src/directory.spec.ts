import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataDirectory } from './directory.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-directory-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a data directory is made with those above it', async () => {
  const wanted = join(folder, 'a', 'b');
  await Promise.all([makeDataDirectory(wanted), makeDataDirectory(wanted)]);
  expect((await stat(wanted)).isDirectory()).toBe(true);
});

it.runIf(process.platform === 'linux')(
  'a data directory that cannot be made is refused, with why',
  async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(makeDataDirectory(join(folder, 'file'))).rejects.toThrow(
      /file is a file\); name another one with --data-dir/,
    );
    await expect(makeDataDirectory('/proc/nope')).rejects.toThrow(
      /^The data directory \/proc\/nope cannot be made \(.* no directory there/,
    );
  },
);
