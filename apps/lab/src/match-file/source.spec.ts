import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSource } from './source.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-source-'));
  await writeFile(join(folder, 'some.csv'), 'text');
});
afterAll(() => rm(folder, { recursive: true }));

describe('readSource', () => {
  it('finds a file as given, else in the data folder', async () => {
    expect(await readSource(join(folder, 'some.csv'), undefined)).toBe('text');
    expect(await readSource('some.csv', folder)).toBe('text');
  });

  it('explains the error and the remedy', async () => {
    await expect(readSource('some.csv', undefined)).rejects.toThrow('some.csv is not there; give the path');
    await expect(readSource('none.csv', folder)).rejects.toThrow(
      'none.csv is neither here nor in MUSTER_DATA; give the path',
    );
    await expect(readSource(folder, undefined)).rejects.toThrow('is a folder; name a file in it.');
  });
});
