import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPlotFile } from './plot-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-plot-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('checkPlotFile', () => {
  it('accepts a new file in an existing folder, and does not create it', async () => {
    await expect(checkPlotFile(join(folder, 'new.svg'))).resolves.toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('explains why a plot cannot be written', async () => {
    await expect(checkPlotFile(folder)).rejects.toThrow(`${folder} is a folder; name a file in it.`);
    await expect(checkPlotFile(join(folder, 'none', 'new.svg'))).rejects.toThrow(
      'new.svg is in a folder that does not exist; create it first.',
    );
  });
});
