import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportDirectory } from './export-directory.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-exports-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the directory for exports', () => {
  it('is made with those above it, for its owner alone, and is empty', async () => {
    const wanted = join(folder, 'a', 'b');
    await exportDirectory(wanted);
    await exportDirectory(wanted);
    expect((await stat(wanted)).mode & 0o777).toBe(0o700);
    expect(await readdir(wanted)).toEqual([]);
  });

  it('is refused where a file is, with the next step', async () => {
    await expect(exportDirectory(join(folder, 'file'))).rejects.toThrow(
      /^No export can be written to .* \(.*file is a file\); name another directory with --requested\./,
    );
    await expect(exportDirectory(join(folder, 'file', 'below'))).rejects.toThrow(
      /\(a part of the path is a file\)/,
    );
  });

  // `mkdir` with `recursive` spins there for ever.
  it.skipIf(!existsSync('/proc/self'))('is refused in /proc, at once', { timeout: 3_000 }, async () => {
    await expect(exportDirectory('/proc/nope')).rejects.toThrow(/No export can be written to \/proc\/nope/);
    await expect(exportDirectory('/proc/nope/below')).rejects.toThrow(/--requested/);
    await expect(exportDirectory('/proc')).rejects.toThrow(/No export can be written to \/proc /);
  });
});
