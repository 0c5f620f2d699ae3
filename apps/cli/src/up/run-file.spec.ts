import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeOwnRunFile, writeRunFile } from './run-file.js';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-run-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const running = {
  url: 'http://127.0.0.1:8080',
  keys: { serverKey: 's', operatorKey: 'o', login: '', coordinator: '', playerJwks: '' },
  stores: {
    redisUrl: 'redis://x',
    redisEngine: 'yours',
    databaseUrl: 'postgresql://x',
    databaseRole: 'auto',
  },
  replicas: [],
  pids: { edge: 7 },
} as const;
const file = (): string => join(dataDir, 'run.json');

describe('the file of a run', () => {
  it('is removed by the launcher that wrote it, and by no other', async () => {
    await writeRunFile(dataDir, running, 100);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    await removeOwnRunFile(dataDir, 200);
    expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ launcher: 100, pids: { edge: 7 } });
    await removeOwnRunFile(dataDir, 100);
    await expect(stat(file())).rejects.toThrow(/ENOENT/);
    await removeOwnRunFile(dataDir, 100);
  });

  it('stays where nobody knows who wrote it', async () => {
    await writeFile(file(), 'half a fi');
    await removeOwnRunFile(dataDir, 100);
    expect(await readFile(file(), 'utf8')).toBe('half a fi');
  });
});
